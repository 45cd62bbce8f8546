import type { ContentPart } from "../../../wire/images.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import type { Block } from "./messages-schema.ts";

/** The content of a message: a text, or blocks. */
export type Content = string | readonly Block[];

/** The content of a message in a chat completion. */
export type ChatContent = string | ContentPart[];

/** Returns a single text without a cache mark as a string, which every upstream accepts for every role. */
export function simplest(parts: ContentPart[]): ChatContent {
  const [only] = parts;
  const isPlain = parts.length === 1 && only?.["type"] === "text" && only["cache_control"] === undefined;
  return isPlain && typeof only["text"] === "string" ? only["text"] : parts;
}

/**
 * Returns where a block cannot be expressed in a chat completion, as the end of its path, or undefined if it can. The
 * thoughts of earlier answers can be left out, since upstreams do not read them.
 */
export function untranslatableAt(block: Block): string | undefined {
  const { type, citations } = block;
  if (type === "text" || type === "tool_use" || type === "thinking" || type === "redacted_thinking") return undefined;
  if (type === "tool_result") return untranslatableIn(block["content"], ".content");
  if (type !== "image" && type !== "document") return "";
  if (isJsonObject(citations) && citations["enabled"] === true) return ".citations";
  const source = sourceOf(block);
  const isData = typeof source["media_type"] === "string" && typeof source["data"] === "string";
  if (source["type"] === "base64" && isData) return undefined;
  if (type === "image") return source["type"] === "url" && typeof source["url"] === "string" ? undefined : ".source";
  if (source["type"] === "text" && typeof source["data"] === "string") return undefined;
  return source["type"] === "content" && typeof source["content"] === "string" ? undefined : ".source";
}

/** Returns the path of the first such place in a content, which begins with `path`. */
export function untranslatableIn(content: unknown, path: string): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const blocks: readonly Block[] = content;
  for (const [index, block] of blocks.entries()) {
    const end = untranslatableAt(block);
    if (end !== undefined) return `${path}.${index}${end}`;
  }
  return undefined;
}

/** Maps a text, image or document to the parts of a chat completion, with its cache mark. Other blocks have no parts. */
export function toParts(block: Block): readonly ContentPart[] {
  const { type } = block;
  if (type !== "text" && type !== "image" && type !== "document") return [];
  const part = type === "text" ? { type, text: block["text"] } : toPart(type, sourceOf(block), titleOf(block));
  return [{ ...part, ...cacheMark(block) }];
}

function toPart(type: string, source: JsonObject, title: string | undefined): ContentPart {
  const { media_type: mediaType, data, url, content } = source;
  if (source["type"] === "url") return { type: "image_url", image_url: { url } };
  const dataUrl = `data:${String(mediaType)};base64,${String(data)}`;
  if (type === "image") return { type: "image_url", image_url: { url: dataUrl } };
  if (source["type"] === "base64")
    return { type: "file", file: { filename: title ?? "document.pdf", file_data: dataUrl } };
  const text = String(source["type"] === "text" ? data : content);
  return { type: "text", text: title === undefined ? text : `${title}\n\n${text}` };
}

const titleOf = ({ title }: Block): string | undefined =>
  typeof title === "string" && title !== "" ? title : undefined;

const sourceOf = ({ source }: Block): JsonObject => (isJsonObject(source) ? source : {});

/** Returns the cache mark of a block or tool. Targets without a price for it do not receive it. */
export const cacheMark = ({ cache_control: mark }: JsonObject): JsonObject =>
  mark == null ? {} : { cache_control: mark };
