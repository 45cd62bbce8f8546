import { isJsonObject, isText, type JsonObject } from "../../../wire/json.ts";

/** Returns the id of a response. */
export const responseId = (response: JsonObject | undefined): string | undefined =>
  isText(response?.["id"]) ? response["id"] : undefined;

/** Returns why a response ended: the reason for which it is incomplete, such as "max_output_tokens", or its status. */
export function responseReasons(response: JsonObject | undefined): readonly string[] {
  const details = response?.["incomplete_details"];
  const reason = isJsonObject(details) ? details["reason"] : undefined;
  return [reason, response?.["status"]].filter(isText).slice(0, 1);
}
