import { isPlainObject, readDataUrl } from "@tollgate/core/internal";
import { type ChatMessage, type FileData, isTextual, type JsonObject, readFilePart } from "@tollgate/core/provider";
import type { CacheControl, MediaBlock, TextBlock } from "./messages-api.ts";
import { rejected } from "./rejected.ts";

/** Maps the texts, images and files of a message. Blank texts are left out, since the API rejects them. */
export function toBlocks(content: ChatMessage["content"], path: string): (TextBlock | MediaBlock)[] {
  return partsOf(content, path).flatMap<TextBlock | MediaBlock>(({ part, at }) => {
    if (part["type"] === "image_url") return [toImage(part, at)];
    return part["type"] === "file" ? [toDocument(part, at)] : toText(part, at, "must be a text, image or file part");
  });
}

/** Maps the texts of a message with a role that the API restricts to text. */
export function toTextBlocks(content: ChatMessage["content"], path: string): TextBlock[] {
  return partsOf(content, path).flatMap(({ part, at }) =>
    toText(part, at, "must be a text part in a message with this role"),
  );
}

/** Maps `cache_control` of a part or tool. The gateway has already removed those that the host has no price for. */
export function cacheControl({ cache_control: control }: JsonObject): CacheControl {
  if (!isPlainObject(control) || control["type"] !== "ephemeral") return {};
  return { cache_control: control["ttl"] === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" } };
}

function partsOf(content: ChatMessage["content"], path: string): { readonly part: JsonObject; readonly at: string }[] {
  if (content == null) return [];
  if (typeof content === "string") return [{ part: { type: "text", text: content }, at: `${path}.content` }];
  return content.map((part, index) => ({ part, at: `${path}.content.${index}` }));
}

function toText(part: JsonObject, at: string, problem: string): TextBlock[] {
  const text = part["type"] === "text" ? part["text"] : part["type"] === "refusal" ? part["refusal"] : undefined;
  if (typeof text !== "string") throw rejected(at, `${problem} for this model.`);
  return text.trim() === "" ? [] : [{ type: "text", text, ...cacheControl(part) }];
}

function toImage(part: JsonObject, at: string): MediaBlock {
  const url = isPlainObject(part["image_url"]) ? part["image_url"]["url"] : undefined;
  const source = typeof url === "string" ? toImageSource(url) : undefined;
  if (source !== undefined) return { type: "image", source, ...cacheControl(part) };
  throw rejected(
    `${at}.image_url.url`,
    "must be an http or https URL, or a base64 data URL of a JPEG, PNG, GIF or WebP image.",
  );
}

/** Follows https://platform.claude.com/docs/en/build-with-claude/pdf-support */
function toDocument(part: JsonObject, at: string): MediaBlock {
  const file = readFilePart(part);
  const block = file === undefined ? undefined : toSource(file);
  if (block !== undefined) return { ...block, ...cacheControl(part) };
  throw rejected(
    `${at}.file.file_data`,
    "must be a base64 data URL of a PDF, an image or a text file in UTF-8 for this model. Send the text of other files.",
  );
}

function toSource({ mediaType, base64, name }: FileData): MediaBlock | undefined {
  const title = name === undefined ? {} : { title: name };
  if (mediaType === "application/pdf") {
    return { type: "document", source: { type: "base64", media_type: mediaType, data: base64 }, ...title };
  }
  const imageType = imageTypes.get(mediaType);
  if (imageType !== undefined)
    return { type: "image", source: { type: "base64", media_type: imageType, data: base64 } };
  const text = isTextual(mediaType) ? decodeText(base64) : undefined;
  if (text === undefined) return undefined;
  return { type: "document", source: { type: "text", media_type: "text/plain", data: text }, ...title };
}

function decodeText(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function toImageSource(url: string) {
  if (/^https?:\/\//i.test(url)) return { type: "url", url } as const;
  const { mediaType = "", base64: data = "" } = readDataUrl(url) ?? {};
  const type = imageTypes.get(mediaType);
  return type === undefined ? undefined : ({ type: "base64", media_type: type, data } as const);
}

const imageTypes: ReadonlyMap<string, string> = new Map([
  ["image/jpeg", "image/jpeg"],
  ["image/jpg", "image/jpeg"],
  ["image/png", "image/png"],
  ["image/gif", "image/gif"],
  ["image/webp", "image/webp"],
]);
