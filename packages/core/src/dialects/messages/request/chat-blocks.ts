import { GatewayError } from "../../../errors/gateway-error.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import type { ContentPart } from "../../../wire/media.ts";
import { forcedTools } from "./defined-tools.ts";
import type { Block, MessagesRequest } from "./messages-schema.ts";

/** The content of a message: a text, or blocks. */
export type Content = string | readonly Block[];

/** Returns a single text without a cache mark as a string, which every upstream accepts for every role. */
export function simplest(parts: ContentPart[]): string | ContentPart[] {
  const [only] = parts;
  const isPlain = parts.length === 1 && only?.["type"] === "text" && only["cache_control"] === undefined;
  return isPlain && typeof only["text"] === "string" ? only["text"] : parts;
}

/** The blocks that a chat completion can say, and the thoughts of earlier answers, which upstreams do not read. */
const translated: ReadonlySet<string> = new Set([
  "text",
  "image",
  "document",
  "search_result",
  "tool_use",
  "tool_result",
  "tool_reference",
  "thinking",
  "redacted_thinking",
]);

/**
 * Returns the types of the blocks that are left out of a chat completion, since they are what tools of Anthropic or unknown
 * ones left in the conversation; and "tool_result" for a result without a call.
 */
export function leftOutBlocks(messages: readonly { readonly content: Content }[]): readonly string[] {
  const types = new Set<string>();
  const calls = new Set<unknown>();
  const add = (blocks: Content) => {
    for (const block of typeof blocks === "string" ? [] : blocks) {
      const { type, content } = block;
      if (type === "tool_use") calls.add(block["id"]);
      const isOrphan = type === "tool_result" && !calls.has(block["tool_use_id"]);
      if (isOrphan || !translated.has(type)) types.add(type);
      else if (type === "tool_result" && isBlocks(content)) add(content);
    }
  };
  for (const { content } of messages) add(content);
  return [...types];
}

/**
 * Returns why a request cannot be translated to a chat completion: a block without a counterpart, or a choice of a tool
 * that only targets of this dialect know. Undefined if it can.
 */
export function whyUntranslatable(request: MessagesRequest): GatewayError | undefined {
  const param = forcedTools(request).length > 0 ? "tool_choice" : blockOf(request);
  if (param === undefined) return undefined;
  return new GatewayError(
    "unsupported_parameter",
    `\`${param}\` is not supported by this model. Leave it out, or use a model that is served by Anthropic's API.`,
    { param },
  );
}

function blockOf({ messages }: MessagesRequest): string | undefined {
  for (const [index, { content }] of messages.entries()) {
    const path = untranslatableIn(content, `messages.${index}.content`);
    if (path !== undefined) return path;
  }
  // Upstreams refuse a request without messages.
  return messages.every(({ content }) => hasNothing(content)) ? "messages.0.content.0" : undefined;
}

/** True for blocks that are all left out. */
const hasNothing = (content: Content): boolean =>
  typeof content !== "string" && content.length > 0 && content.every(({ type }) => !translated.has(type));

const isBlocks = (content: unknown): content is readonly Block[] => Array.isArray(content);

/**
 * Returns where a block asks for what a chat completion cannot say, as the end of its path, or undefined if it does not. What
 * was left in the conversation is no problem, see {@link leftOutBlocks}.
 */
function untranslatableAt(block: Block): string | undefined {
  const { type, citations } = block;
  if (type === "tool_result") return untranslatableIn(block["content"], ".content");
  if (type === "container_upload") return "";
  if (type !== "image" && type !== "document") return undefined;
  if (isJsonObject(citations) && citations["enabled"] === true) return ".citations";
  const source = sourceOf(block);
  const isData = typeof source["media_type"] === "string" && typeof source["data"] === "string";
  if (source["type"] === "base64" && isData) return undefined;
  if (type === "image") return source["type"] === "url" && typeof source["url"] === "string" ? undefined : ".source";
  if (source["type"] === "text" && typeof source["data"] === "string") return undefined;
  return source["type"] === "content" && typeof source["content"] === "string" ? undefined : ".source";
}

/** Returns the path of the first such place in a content, which begins with `path`. */
function untranslatableIn(content: unknown, path: string): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const blocks: readonly Block[] = content;
  for (const [index, block] of blocks.entries()) {
    const end = untranslatableAt(block);
    if (end !== undefined) return `${path}.${index}${end}`;
  }
  return undefined;
}

/** Maps a block with content to the parts of a chat completion, with its cache mark. Other blocks have no parts. */
export function toParts(block: Block): readonly ContentPart[] {
  const { type } = block;
  if (type === "tool_reference") return [{ type: "text", text: String(block["tool_name"]), ...cacheMark(block) }];
  if (type === "search_result") return [{ type: "text", text: searchText(block), ...cacheMark(block) }];
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

function searchText({ title, source, content }: Block): string {
  const texts = isBlocks(content) ? content.map(({ text }) => text) : [];
  return [title, source, ...texts].filter((text) => typeof text === "string" && text !== "").join("\n");
}

const titleOf = ({ title }: Block): string | undefined =>
  typeof title === "string" && title !== "" ? title : undefined;

const sourceOf = ({ source }: Block): JsonObject => (isJsonObject(source) ? source : {});

/** Returns the cache mark of a block or tool. Targets without a price for it do not receive it. */
export const cacheMark = ({ cache_control: mark }: JsonObject): JsonObject =>
  mark == null ? {} : { cache_control: mark };
