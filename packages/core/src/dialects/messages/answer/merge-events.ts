import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { outputText } from "../../../wire/output-text.ts";

/** Returns the output text in one event of a stream: text, thoughts, and the names and inputs of calls. */
export function eventText({ type, delta, content_block: block }: JsonObject): string {
  const added = type === "message_delta" ? undefined : [delta, block].find(isJsonObject);
  return added === undefined ? "" : outputText(added);
}

/** Merges the events that a client received into one message. The input of a call stays text if it is not whole JSON. */
export function mergeEvents(events: readonly JsonObject[]): object | undefined {
  let message: JsonObject | undefined;
  const content: JsonObject[] = [];
  for (const { type, message: start, content_block: block, delta, usage } of events) {
    if (type === "message_start" && isJsonObject(start)) message = start;
    else if (type === "content_block_start" && isJsonObject(block)) content.push(block);
    else if (type === "content_block_delta" && isJsonObject(delta)) content.push(extend(content.pop() ?? {}, delta));
    else if (type === "message_delta" && isJsonObject(delta)) message = { ...message, ...delta, usage };
  }
  return message && { ...message, content: content.map(withInput) };
}

/** Blocks are sent one after another, so that a delta belongs to the last one. */
function extend(block: JsonObject, { type: _, citation, ...delta }: JsonObject): JsonObject {
  const extended: Record<string, unknown> = { ...block };
  for (const [name, piece] of Object.entries(delta)) {
    const known = extended[name];
    extended[name] = typeof known === "string" && typeof piece === "string" ? known + piece : piece;
  }
  if (citation !== undefined) {
    extended["citations"] = [...(Array.isArray(extended["citations"]) ? extended["citations"] : []), citation];
  }
  return extended;
}

function withInput({ partial_json: json, ...block }: JsonObject): JsonObject {
  if (typeof json !== "string") return block;
  try {
    return { ...block, input: JSON.parse(json) };
  } catch {
    return { ...block, input: json };
  }
}
