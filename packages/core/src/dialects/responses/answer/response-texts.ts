import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { outputText } from "../../../wire/output-text.ts";

/** Returns the output text that an event of a stream adds. Events of whole parts and items repeat what came before. */
export function textOfEvent(event: JsonObject): string {
  const { type, item } = event;
  if (typeof type !== "string") return "";
  if (type.endsWith(".delta")) return outputText({ delta: event["delta"] });
  return type === "response.output_item.added" && isJsonObject(item) ? outputText(item) : "";
}
