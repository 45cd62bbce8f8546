import { isJsonObject, type JsonObject } from "./json.ts";
import { byteLength } from "./utf8.ts";

/** Members of a message or delta whose text is output of the model. */
export const textMembers = ["content", "reasoning_content", "reasoning", "refusal"] as const;

/** Bytes in UTF-8 of the output that a message or a delta holds: its texts, and the names and arguments of its tool calls. */
export function outputBytes(message: JsonObject): number {
  let bytes = 0;
  for (const member of textMembers) bytes += lengthOf(message[member]);
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return bytes;
  for (const call of calls) {
    const called: unknown = isJsonObject(call) ? call["function"] : undefined;
    if (isJsonObject(called)) bytes += lengthOf(called["name"]) + lengthOf(called["arguments"]);
  }
  return bytes;
}

/** The output that {@link outputBytes} measures, as one text. */
export function outputText(message: JsonObject): string {
  const texts: unknown[] = textMembers.map((member) => message[member]);
  const calls = message["tool_calls"];
  for (const call of Array.isArray(calls) ? calls : []) {
    const called: unknown = isJsonObject(call) ? call["function"] : undefined;
    if (isJsonObject(called)) texts.push(called["name"], called["arguments"]);
  }
  return texts.filter((text) => typeof text === "string").join("");
}

/** The output of all choices of a chunk. */
export function chunkText(chunk: JsonObject): string {
  const choices: unknown[] = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
  return choices
    .map((choice) => (isJsonObject(choice) && isJsonObject(choice["delta"]) ? outputText(choice["delta"]) : ""))
    .join("");
}

const lengthOf = (text: unknown): number => (typeof text === "string" ? byteLength(text) : 0);
