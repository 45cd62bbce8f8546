import type { ProviderError } from "../errors/provider-error.ts";
import { sortErrorPayload } from "../providers/failure.ts";
import { isJsonObject } from "../wire/json.ts";

/** The error that a frame or an answer with status 200 reports, or undefined when it reports none. */
export function readReportedError(value: unknown): ProviderError | undefined {
  const body = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(body)) return undefined;
  if (body["error"]) return sortErrorPayload(body);
  if (body["object"] === "error") return sortErrorPayload(body);
  for (const choice of Array.isArray(body["choices"]) ? body["choices"] : []) {
    if (!isJsonObject(choice)) continue;
    if (isJsonObject(choice["error"])) return sortErrorPayload(choice["error"]);
    if (choice["finish_reason"] === "error") return sortErrorPayload("The upstream ended a choice with an error.");
  }
  return undefined;
}
