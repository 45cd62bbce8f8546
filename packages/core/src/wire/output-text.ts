import { byteLength } from "./bytes.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { isText } from "./present.ts";

/** Members of a message or delta whose text is output of the model. */
export const textMembers = ["content", "reasoning_content", "reasoning", "refusal"] as const;

/** Bytes in UTF-8 of the output that a message or a delta holds. */
export function outputBytes(message: JsonObject): number {
  let bytes = 0;
  for (const text of outputTexts(message)) bytes += byteLength(text);
  return bytes;
}

/** The output that {@link outputBytes} measures, as one text. */
export const outputText = (message: JsonObject): string => outputTexts(message).join("");

/** The texts of a message or a delta, and the names and arguments of its calls; none of them is empty. */
export function outputTexts(message: JsonObject): string[] {
  const texts: string[] = [];
  for (const member of textMembers) add(texts, message[member]);
  if (Array.isArray(message["content"])) addParts(texts, message["content"]);
  addCalled(texts, message["function_call"]);
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return texts;
  for (const call of calls) addCalled(texts, isJsonObject(call) ? call["function"] : undefined);
  return texts;
}

/** The output of all choices of a chunk. */
export function chunkText(chunk: JsonObject): string {
  const choices: unknown[] = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
  return choices
    .map((choice) => (isJsonObject(choice) && isJsonObject(choice["delta"]) ? outputText(choice["delta"]) : ""))
    .join("");
}

function addParts(texts: string[], parts: readonly unknown[]): void {
  for (const part of parts.flatMap(thoughtsOr)) add(texts, isJsonObject(part) ? part["text"] : part);
}

/** Mistral has the parts of what was thought inside one of its own. */
const thoughtsOr = (part: unknown): unknown => (isJsonObject(part) && part["thinking"]) || part;

function addCalled(texts: string[], called: unknown): void {
  if (!isJsonObject(called)) return;
  add(texts, called["name"]);
  add(texts, called["arguments"]);
}

function add(texts: string[], text: unknown): void {
  if (isText(text)) texts.push(text);
}
