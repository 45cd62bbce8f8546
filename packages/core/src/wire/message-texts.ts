import { isJsonObject, isText, type JsonObject } from "./json.ts";

/**
 * Reads the texts of a message or delta. Absent ones are empty. Upstreams send reasoning as `reasoning_content`, as `reasoning`, or as parts of
 * the content; what one repeats under another of these names is read once.
 */
export function messageTexts(message: JsonObject): {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
} {
  const { content, reasoning_content, reasoning, refusal } = message;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const inParts = joinTexts(parts.flatMap(thoughtsOf));
  const different = new Set([reasoning_content, reasoning, inParts].filter(isText));
  return {
    reasoning: [...different].join(""),
    text: isText(content) ? content : joinTexts(parts.filter((part) => thoughtsOf(part) === undefined)),
    refusal: isText(refusal) ? refusal : "",
  };
}

/**
 * Returns the thoughts of a part of a content: a text or parts of their own. Undefined for any other part. Mistral and Cohere
 * send `thinking` parts, Databricks `reasoning` parts with a `summary`.
 */
function thoughtsOf(part: unknown): unknown {
  if (!isJsonObject(part)) return undefined;
  const { type, thinking, summary, reasoning, text } = part;
  return thinking ?? (type === "reasoning" ? (summary ?? reasoning ?? text) : undefined);
}

/**
 * Returns a message or delta whose content is a text, and whose thoughts are its `reasoning_content`, since clients of chat
 * completions expect no parts in an answer. Images among the parts become its `images`, as OpenRouter sends them.
 */
export function withTextContent(message: JsonObject): JsonObject {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const { reasoning, text } = messageTexts(message);
  const images = content.filter((part) => isJsonObject(part) && part["type"] === "image_url");
  const { reasoning: _, ...others } = message;
  return {
    ...(reasoning === "" ? message : { ...others, reasoning_content: reasoning }),
    content: text === "" ? null : text,
    ...(images.length === 0 ? {} : { images }),
  };
}

const joinTexts = (parts: readonly unknown[]): string =>
  parts
    .map((part) => (isJsonObject(part) ? part["text"] : part))
    .filter(isText)
    .join("");
