import { byteLength } from "./bytes.ts";
import { isJsonObject, isText, type JsonObject } from "./json.ts";
import { thoughtsOf } from "./message-texts.ts";

/** The members of a message or delta that hold output text of the model. */
export const textMembers = ["content", "reasoning_content", "reasoning", "refusal"] as const;

/** Returns the length in UTF-8 of the output of a message or delta. */
export function outputBytes(message: JsonObject): number {
  let bytes = 0;
  for (const text of outputTexts(message)) bytes += byteLength(text);
  return bytes;
}

/** Returns the output that {@link outputBytes} measures, as one text. */
export const outputText = (message: JsonObject): string => outputTexts(message).join("");

/**
 * Returns the texts of a message or delta and the names and arguments of its calls, without empty ones. Reasoning that an
 * upstream sends under both of its names counts once.
 */
export function outputTexts(message: JsonObject): string[] {
  const texts: string[] = [];
  const isRepeated = message["reasoning"] === message["reasoning_content"];
  for (const member of textMembers) if (member !== "reasoning" || !isRepeated) add(texts, message[member]);
  if (Array.isArray(message["content"])) addParts(texts, message["content"]);
  addCalled(texts, message["function_call"]);
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return texts;
  for (const call of calls) addCalled(texts, isJsonObject(call) ? call["function"] : undefined);
  return texts;
}

/** Returns the output text of all choices of a chunk. */
export function chunkText(chunk: JsonObject): string {
  const choices: unknown[] = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
  return choices
    .map((choice) => (isJsonObject(choice) && isJsonObject(choice["delta"]) ? outputText(choice["delta"]) : ""))
    .join("");
}

function addParts(texts: string[], parts: readonly unknown[]): void {
  for (const part of parts.flatMap((each) => thoughtsOf(each) ?? each)) {
    add(texts, isJsonObject(part) ? part["text"] : part);
  }
}

function addCalled(texts: string[], called: unknown): void {
  if (!isJsonObject(called)) return;
  add(texts, called["name"]);
  add(texts, called["arguments"]);
}

function add(texts: string[], text: unknown): void {
  if (isText(text)) texts.push(text);
}
