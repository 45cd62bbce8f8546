import { isJsonObject, isText, type JsonObject } from "./json.ts";

/** The texts of a message or delta of a chat completion. Absent ones are empty. */
export interface MessageTexts {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
}

/**
 * Reads the texts of a message or delta. Upstreams send reasoning as `reasoning_content`, as `reasoning`, or as parts of
 * the content; what one repeats under another of these names is read once.
 */
export function messageTexts(message: JsonObject): MessageTexts {
  const { content, reasoning_content, reasoning, refusal } = message;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const inParts = joinTexts(parts.flatMap((part) => (isJsonObject(part) ? part["thinking"] : undefined)));
  const different = new Set([reasoning_content, reasoning, inParts].filter(isText));
  return {
    reasoning: [...different].join(""),
    text: isText(content) ? content : joinTexts(parts),
    refusal: isText(refusal) ? refusal : "",
  };
}

const joinTexts = (parts: readonly unknown[]): string =>
  parts
    .map((part) => (isJsonObject(part) ? part["text"] : part))
    .filter(isText)
    .join("");
