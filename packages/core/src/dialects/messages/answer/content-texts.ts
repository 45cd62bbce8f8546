import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { isText } from "../../../wire/present.ts";

/** The texts of a message or delta, in the order of the blocks of an answer. */
export interface ContentTexts {
  readonly thinking: string;
  readonly text: string;
  readonly hasRefused: boolean;
}

/**
 * Returns the texts of a message or delta of a chat completion. Upstreams send thoughts as `reasoning_content` or
 * `reasoning`, and Mistral as parts of the content.
 */
export function contentTexts({ content, reasoning_content: thoughts, reasoning, refusal }: JsonObject): ContentTexts {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const inParts = parts.map(thinkingOf).join("");
  const text = isText(content) ? content : parts.map(textOf).join("");
  const hasRefused = isText(refusal);
  return {
    thinking: isText(thoughts) ? thoughts : isText(reasoning) ? reasoning : inParts,
    text: hasRefused ? text + refusal : text,
    hasRefused,
  };
}

const textOf = (part: unknown): string => (isJsonObject(part) && isText(part["text"]) ? part["text"] : "");

function thinkingOf(part: unknown): string {
  const thinking = isJsonObject(part) ? part["thinking"] : undefined;
  if (isText(thinking)) return thinking;
  return Array.isArray(thinking) ? thinking.map(textOf).join("") : "";
}
