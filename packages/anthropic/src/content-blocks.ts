import type { ChatMessage, JsonObject } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";
import type { CacheControl, ImageBlock, TextBlock } from "./messages-api.ts";
import { rejected } from "./rejected.ts";

type Content = ChatMessage["content"];

/** Maps the texts and images of a message. Blank texts are left out, since the API rejects them. */
export function toBlocks(content: Content, path: string): (TextBlock | ImageBlock)[] {
  return partsOf(content, path).flatMap<TextBlock | ImageBlock>(({ part, at }) =>
    part["type"] === "image_url" ? [toImage(part, at)] : toText(part, at, "must be a text or image part"),
  );
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
