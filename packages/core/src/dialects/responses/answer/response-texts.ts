import { isJsonObject, isText, type JsonObject } from "../../../wire/json.ts";

/** The members of an output item that the model wrote. */
const itemTexts = ["name", "arguments", "input", "code"] as const;
/** The members of a part that the model wrote. */
const partTexts = ["text", "refusal"] as const;

/** Returns the texts that the model wrote in the output of a response: its messages, reasoning and calls. */
export const outputTextsOf = (output: unknown): string[] =>
  (Array.isArray(output) ? output : []).filter(isJsonObject).flatMap(textsOfItem);

/** Returns the texts that the model wrote in an output item. */
function textsOfItem(item: JsonObject): string[] {
  const parts = [item["content"], item["summary"]].flatMap((list) => (Array.isArray(list) ? list : []));
  return [
    ...parts.filter(isJsonObject).flatMap((part) => partTexts.map((name) => part[name])),
    ...itemTexts.map((name) => item[name]),
  ].filter(isText);
}

/** Returns the output text in an event of a stream. */
export function textOfEvent(event: JsonObject): string {
  const { type, delta, item } = event;
  if (typeof type !== "string") return "";
  if (type.endsWith(".delta")) return isText(delta) ? delta : "";
  if (type !== "response.output_item.added" || !isJsonObject(item)) return "";
  return isText(item["name"]) ? item["name"] : "";
}
