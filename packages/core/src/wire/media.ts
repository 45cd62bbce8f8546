import { decodeUtf8 } from "./bytes.ts";
import { isJsonObject, isText, type JsonObject } from "./json.ts";
import type { JsonMember } from "./json-members.ts";

/** The images of a prompt. Their URLs may be megabytes of base64, but the model does not read them as text. */
export interface Images {
  readonly count: number;
  /** The UTF-16 length of their URLs or data, which is never more than the length in UTF-8. */
  readonly addressLength: number;
}

/** What a prompt has beside texts and images, such as files, audio and video, whose number of tokens is unknown. */
export interface UnknownParts {
  readonly count: number;
  /** The UTF-16 length of their data, which is never more than the length in UTF-8. */
  readonly textLength: number;
}

/** What a prompt has beside text. */
export interface Media {
  readonly images: Images;
  readonly unknown: UnknownParts;
}

/** The value for a prompt with only texts and images. */
export const noUnknownParts: UnknownParts = { count: 0, textLength: 0 };

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
 * object or array is searched for the names, and of a text only its own name.
 */
export function mayHoldMedia(bytes: Uint8Array, member: Omit<JsonMember, "hash" | "name">): boolean {
  const { keyStart, keyEnd, valueStart, valueEnd } = member;
  const first = bytes[valueStart];
  const isStructure = first === openBrace || first === openBracket;
  if (!isStructure && first !== quote) return false;
  return mediaHint.test(decodeUtf8(bytes.subarray(keyStart, isStructure ? valueEnd : keyEnd)) ?? "\\u");
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

/** Names what is read from elsewhere, or holds it. Compared with a name in lower case without `_` and `-`. */
const mediaName =
  /(?:(?<!c)urls?|uris?|(?<!pro)files?|(?:file|image|document|media)ids?|(?:file|image|inline)data|sources?|images?|audios?|videos?|documents?|attachments?|media|blobs?|screenshots?|b64json|base64)$/;
/** A part of every such name, and of a name with escapes. */
const mediaHint =
  /ur[li]|file|source|image|inline|audio|video|document|attachment|media|blob|screenshot|b64|base64|\\u/i;
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

const isMediaName = (name: string): boolean => mediaName.test(name.toLowerCase().replaceAll(/[_-]/g, ""));
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
