import type { ChatMessage, JsonObject } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";
import type { CacheMark, ImageBlock, TextBlock } from "./messages-api.ts";
import { rejected } from "./rejected.ts";

type Content = ChatMessage["content"];

/** Texts and images of a message. Texts of nothing but white space are left out, since the API refuses them. */
export function toBlocks(content: Content, path: string): (TextBlock | ImageBlock)[] {
  return partsOf(content, path).flatMap<TextBlock | ImageBlock>(({ part, at }) =>
    part["type"] === "image_url" ? [toImage(part, at)] : toText(part, at, "must be a text or image part"),
  );
}

/** Texts of a message in a role that the API lets have nothing else. */
export function toTextBlocks(content: Content, path: string): TextBlock[] {
  return partsOf(content, path).flatMap(({ part, at }) =>
    toText(part, at, "must be a text part in a message with this role"),
  );
}

/** The mark of a part or tool that is to be cached. The gateway has taken away those that the host has no price for. */
export function cacheMark({ cache_control: mark }: JsonObject): CacheMark {
  if (!isJsonObject(mark) || mark["type"] !== "ephemeral") return {};
  return { cache_control: mark["ttl"] === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" } };
}

function partsOf(content: Content, path: string): { readonly part: JsonObject; readonly at: string }[] {
  if (content == null) return [];
  if (typeof content === "string") return [{ part: { type: "text", text: content }, at: `${path}.content` }];
  return content.map((part, index) => ({ part, at: `${path}.content.${index}` }));
}

function toText(part: JsonObject, at: string, problem: string): TextBlock[] {
  const text = part["type"] === "text" ? part["text"] : part["type"] === "refusal" ? part["refusal"] : undefined;
  if (typeof text !== "string") throw rejected(at, `${problem} for this model.`);
  return text.trim() === "" ? [] : [{ type: "text", text, ...cacheMark(part) }];
}

function toImage(part: JsonObject, at: string): ImageBlock {
  const url = isJsonObject(part["image_url"]) ? part["image_url"]["url"] : undefined;
  const source = typeof url === "string" ? readSource(url) : undefined;
  if (source !== undefined) return { type: "image", source, ...cacheMark(part) };
  throw rejected(
    `${at}.image_url.url`,
    "must be an http or https URL, or a base64 data URL of a JPEG, PNG, GIF or WebP image.",
  );
}

function readSource(url: string): ImageBlock["source"] | undefined {
  if (/^https?:\/\//i.test(url)) return { type: "url", url };
  const head = dataHead.exec(url.slice(0, longestHead));
  if (head?.[1] === undefined) return undefined;
  const type = head[1].toLowerCase();
  return {
    type: "base64",
    media_type: `image/${type === "jpg" ? "jpeg" : type}`,
    data: url.slice(head[0].length),
  };
}

const longestHead = 200;
/** RFC 2397. */
const dataHead = /^data:image\/(jpe?g|png|gif|webp)(?:;[\w.+-]+=[^;,]*)*;base64,/i;
