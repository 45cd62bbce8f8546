import { decodeUtf8 } from "./bytes.ts";
import type { ChatMessage } from "./chat-completion-request.ts";
import { foldName } from "./fold-key.ts";
import { isJsonObject, isText, type JsonObject } from "./json.ts";
import type { JsonMember } from "./json-members.ts";

/** What a prompt has beside text. The lengths are in UTF-16, and never more than those in UTF-8. */
export interface Media {
  /** Its images. Their URLs or data may be megabytes of base64, but the model does not read them as text. */
  readonly images: { readonly count: number; readonly addressLength: number };
  /** Its other parts, such as files, audio and video, whose number of tokens is unknown. */
  readonly unknown: { readonly count: number; readonly textLength: number };
}

/** The value for a prompt with only texts and images. */
export const noUnknownParts: Media["unknown"] = { count: 0, textLength: 0 };

/**
 * Counts what a conversation has beside text. The entries are messages of chat completions, messages of the Messages API,
 * or items of the Responses API. An image counts as one in the content of a message or in the result of a function. Any
 * other part, and any object elsewhere that names a URL, a file or a source, is of unknown size: items and results of
 * server tools have forms of their own, and new ones come.
 */
export function mediaOf(entries: readonly unknown[]): Media {
  const found = new FoundMedia();
  for (const entry of entries) if (isJsonObject(entry)) found.search(entry);
  return found.counts();
}

/**
 * True for a member in the bytes of a JSON text that {@link mediaOf} may count, and for some that it does not: all of an
 * object or array is searched for the names, and of a text only its own name. A type decides how the rest of its object counts.
 */
export function mayHoldMedia(bytes: Uint8Array, member: Omit<JsonMember, "hash" | "name">): boolean {
  const { keyStart, keyEnd, valueStart, valueEnd } = member;
  const key = decodeUtf8(bytes.subarray(keyStart, keyEnd));
  if (key === undefined || key === '"type"') return true;
  const first = bytes[valueStart];
  if (first === quote) return mediaHint.test(foldName(key));
  if (first !== openBrace && first !== openBracket) return false;
  const text = decodeUtf8(bytes.subarray(keyStart, valueEnd));
  return text === undefined || mediaHint.test(foldName(text));
}

const quote = 0x22;
const openBracket = 0x5b;
const openBrace = 0x7b;

/** The entries whose `content` or `output` is a list of parts. A message may have no type. */
const withParts: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  "message",
  "function_call_output",
  "custom_tool_call_output",
]);

const imageTypes: ReadonlySet<unknown> = new Set(["image_url", "input_image", "image"]);

/** Parts that hold only text, or parts of which {@link FoundMedia} finds what is more. */
const textTypes: ReadonlySet<unknown> = new Set([
  "text",
  "input_text",
  "output_text",
  "refusal",
  "summary_text",
  "reasoning_text",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "server_tool_use",
  "mcp_tool_use",
  "tool_reference",
  "compaction",
]);

/** Parts of the Messages API whose content is a list of parts. The `source` of a search result is text. */
const partsInside: ReadonlySet<unknown> = new Set(["tool_result", "search_result"]);

/** What a model wrote or a client declared, which is text whatever it names, and members that hold no media. */
const plainMembers: ReadonlySet<string> = new Set([
  "role",
  "type",
  "id",
  "text",
  "cache_control",
  "arguments",
  "input",
  "parameters",
  "input_schema",
  "inputSchema",
  "output_schema",
  "schema",
]);

/** The ends of names of what is read from elsewhere, or holds it, in lower case without `_` and `-`. */
const mediaEnds =
  "(?:(?<!c)urls?|uris?|(?<!pro)files?|(?:file|image|document|media)ids?|(?:file|image|inline)data|sources?|images?|audios?|videos?|documents?|attachments?|media|blobs?|screenshots?|b64json|base64)";
const mediaName = new RegExp(`${mediaEnds}$`);
/** The same in the text of JSON, where a name ends with a quote; a list of parts, whose types may be unknown; or a name with escapes. */
const mediaHint = new RegExp(`(?:${mediaEnds}|content|output)"|\\\\u`);
/** The types of objects that say where a text comes from. */
const isCitation = (type: unknown): boolean =>
  typeof type === "string" && /(?:citation|file_path|_location)$/.test(type);

class FoundMedia {
  #images = 0;
  #addressLength = 0;
  #unknown = 0;
  #textLength = 0;

  counts(): Media {
    const images = { count: this.#images, addressLength: this.#addressLength };
    const unknown = this.#unknown === 0 ? noUnknownParts : { count: this.#unknown, textLength: this.#textLength };
    return { images, unknown };
  }

  /** Counts an object as one of unknown size if a member of it names something. The body's limit of depth bounds the recursion. */
  search(object: JsonObject): void {
    const { type } = object;
    if (isCitation(type)) return;
    let isUnknown = isText(type) && isMediaName(type);
    for (const name in object) {
      const value = object[name];
      if (!isFilled(value) || plainMembers.has(name) || (name === "action" && isCall(type))) continue;
      if (Array.isArray(value) && (name === "content" || name === "output") && withParts.has(type)) this.#parts(value);
      else if (isMediaName(name)) isUnknown = true;
      else if (Array.isArray(value)) this.#list(value);
      else if (isJsonObject(value)) this.search(value);
    }
    if (isUnknown) this.#addUnknown(object);
  }

  #list(values: readonly unknown[]): void {
    for (const value of values) {
      if (Array.isArray(value)) this.#list(value);
      else if (isJsonObject(value)) this.search(value);
    }
  }

  #parts(parts: unknown): void {
    if (Array.isArray(parts)) for (const part of parts) if (isJsonObject(part)) this.#part(part);
  }

  #part(part: JsonObject): void {
    const { type, source, content } = part;
    if (imageTypes.has(type)) {
      this.#images += 1;
      this.#addressLength += dataLength(part);
    } else if (partsInside.has(type)) this.#parts(content);
    else if (type === "document" && isPlainSource(source)) this.#parts(source["content"]);
    else if (textTypes.has(type) || (isText(type) && type.endsWith("_tool_result"))) this.search(part);
    else this.#addUnknown(part);
  }

  #addUnknown(object: JsonObject): void {
    this.#unknown += 1;
    this.#textLength += dataLength(object);
  }
}

const isMediaName = (name: string): boolean => mediaName.test(foldName(name));
const isCall = (type: unknown): boolean => isText(type) && type.endsWith("_call");

/** True for a document whose text or parts are in the request. */
const isPlainSource = (source: unknown): source is JsonObject =>
  isJsonObject(source) && (source["type"] === "text" || source["type"] === "content");

const isFilled = (value: unknown): boolean =>
  isText(value) || (typeof value === "object" && value !== null && Object.keys(value).length > 0);

/** The data or address in a part or in the objects inside it, such as `file.file_data`. */
function dataLength(part: JsonObject): number {
  let length = 0;
  for (const [name, value] of Object.entries(part)) {
    if (plainMembers.has(name)) continue;
    if (isText(value) && (name === "data" || isMediaName(name))) length += value.length;
    else if (isJsonObject(value)) length += dataLength(value);
  }
  return length;
}

/** One part of a content that is an array. */
export type ContentPart = Exclude<NonNullable<ChatMessage["content"]>, string>[number];

/**
 * True for a data URL (RFC 2397) whose media type is missing or is not an image. Ignores spaces and control characters,
 * as URL parsers do.
 */
export function isOtherData(url: string): boolean {
  const head = url.slice(0, longestHead).replace(ignored, "");
  return /^data:/i.test(head) && !/^data:image\/[^;,]/i.test(head);
}

/** The error message for such a URL, after its path. */
export const imageTypesOnly =
  'is a data URL without an image media type. Send an image, such as "data:image/png;base64,".';

const longestHead = 256;
const ignored = /[\s\p{Cc}]/gu;

/** Returns the dot path of the first image whose data URL has another media type, or undefined if there is none. */
export function findOtherData(messages: readonly Pick<ChatMessage, "content">[]): string | undefined {
  for (const [index, { content }] of messages.entries()) {
    const at = Array.isArray(content) ? content.findIndex((part) => isImage(part) && isOtherData(addressOf(part))) : -1;
    if (at >= 0) return `messages.${index}.content.${at}.image_url.url`;
  }
  return undefined;
}

const isImage = (part: ContentPart): boolean => part["type"] === "image_url";

/** Returns a content without its images. */
export function withoutImages(content: ChatMessage["content"]): ChatMessage["content"] {
  return Array.isArray(content) ? content.filter((part) => !isImage(part)) : content;
}

function addressOf({ image_url: image }: ContentPart): string {
  const url: unknown = typeof image === "object" && image !== null && "url" in image ? image.url : undefined;
  return typeof url === "string" ? url : "";
}
