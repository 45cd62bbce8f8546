import { type ChatMessage, type FileData, isTextual, type JsonObject, readFilePart } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";
import type { CacheControl, DocumentBlock, ImageBlock, InputBlock, TextBlock } from "./messages-api.ts";
import { rejected } from "./rejected.ts";

type Content = ChatMessage["content"];

/** Maps the texts, images and files of a message. Blank texts are left out, since the API rejects them. */
export function toBlocks(content: Content, path: string): InputBlock[] {
  return partsOf(content, path).flatMap<InputBlock>(({ part, at }) => {
    if (part["type"] === "image_url") return [toImage(part, at)];
    return part["type"] === "file" ? [toDocument(part, at)] : toText(part, at, "must be a text, image or file part");
  });
}

/** Maps the texts of a message with a role that the API restricts to text. */
export function toTextBlocks(content: Content, path: string): TextBlock[] {
  return partsOf(content, path).flatMap(({ part, at }) =>
    toText(part, at, "must be a text part in a message with this role"),
  );
}

/** Maps `cache_control` of a part or tool. The gateway has already removed those that the host has no price for. */
export function cacheControl({ cache_control: control }: JsonObject): CacheControl {
  if (!isJsonObject(control) || control["type"] !== "ephemeral") return {};
  return { cache_control: control["ttl"] === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" } };
}

function partsOf(content: Content, path: string): { readonly part: JsonObject; readonly at: string }[] {
  if (content == null) return [];
  if (typeof content === "string") return [{ part: { type: "text", text: content }, at: `${path}.content` }];
  return content.map((part, index) => ({ part, at: `${path}.content.${index}` }));
}

function toText(part: JsonObject, at: string, problem: string): TextBlock[] {
  const text = part["type"] === "text" ? part["text"] : part["type"] === "refusal" ? part["refusal"] : undefined;
  if (typeof text !== "string") throw rejected(at, `${problem} for this model.`);
  return text.trim() === "" ? [] : [{ type: "text", text, ...cacheControl(part) }];
}

function toImage(part: JsonObject, at: string): ImageBlock {
  const url = isJsonObject(part["image_url"]) ? part["image_url"]["url"] : undefined;
  const source = typeof url === "string" ? readSource(url) : undefined;
  if (source !== undefined) return { type: "image", source, ...cacheControl(part) };
  throw rejected(
    `${at}.image_url.url`,
    "must be an http or https URL, or a base64 data URL of a JPEG, PNG, GIF or WebP image.",
  );
}

/** Follows https://platform.claude.com/docs/en/build-with-claude/pdf-support */
function toDocument(part: JsonObject, at: string): DocumentBlock | ImageBlock {
  const file = readFilePart(part);
  const block = file === undefined ? undefined : toSource(file);
  if (block !== undefined) return { ...block, ...cacheControl(part) };
  throw rejected(
    `${at}.file.file_data`,
    "must be a base64 data URL of a PDF, an image or a text file in UTF-8 for this model. Send the text of other files.",
  );
}

function toSource({ mediaType, base64, name }: FileData): DocumentBlock | ImageBlock | undefined {
  const title = name === undefined ? {} : { title: name };
  if (mediaType === "application/pdf") {
    return { type: "document", source: { type: "base64", media_type: mediaType, data: base64 }, ...title };
  }
  const image = readSource(`data:${mediaType};base64,${base64}`);
  if (image !== undefined) return { type: "image", source: image };
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

function readSource(url: string): ImageBlock["source"] | undefined {
  if (/^https?:\/\//i.test(url)) return { type: "url", url };
  const head = dataUrlHead.exec(url.slice(0, maxHeadLength));
  if (head?.[1] === undefined) return undefined;
  const type = head[1].toLowerCase();
  return {
    type: "base64",
    media_type: `image/${type === "jpg" ? "jpeg" : type}`,
    data: url.slice(head[0].length),
  };
}

const maxHeadLength = 200;
/** Follows RFC 2397. */
const dataUrlHead = /^data:image\/(jpe?g|png|gif|webp)(?:;[\w.+-]+=[^;,]*)*;base64,/i;
