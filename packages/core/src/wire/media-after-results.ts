import { decodeUtf8, encodeUtf8 } from "./bytes.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { parseLosslessJson, writeLosslessJson } from "./lossless-json.ts";

/** True if the result of a tool has more than text, such as an image. */
export const haveMediaInResults = (messages: readonly JsonObject[]): boolean => messages.some(hasMedia);

/**
 * Returns the JSON of a chat completion whose results of tools are texts, for upstreams that accept no more there. Images and
 * files of results follow in the next message of the user, which is added if another message comes next.
 */
export function withMediaAfterResults(json: Uint8Array): Uint8Array {
  const request = parseLosslessJson(decodeUtf8(json) ?? "");
  const messages = isJsonObject(request) ? request["messages"] : undefined;
  if (!isJsonObject(request) || !Array.isArray(messages)) return json;
  const objects = messages.filter(isJsonObject);
  return haveMediaInResults(objects)
    ? encodeUtf8(writeLosslessJson({ ...request, messages: mediaAfterResults(objects) }))
    : json;
}

const hasMedia = ({ role, content }: JsonObject): boolean =>
  role === "tool" && Array.isArray(content) && !content.every(isText);

const isText = (part: unknown): boolean => isJsonObject(part) && part["type"] === "text";

/** Returns messages whose results of tools are texts. See {@link withMediaAfterResults}. */
export function mediaAfterResults(messages: readonly JsonObject[]): readonly JsonObject[] {
  const moved: JsonObject[] = [];
  let media: readonly unknown[] = [];
  for (const message of messages) {
    const { role, content } = message;
    const parts: readonly unknown[] = Array.isArray(content) ? content : [{ type: "text", text: content }];
    if (role === "tool") {
      moved.push(hasMedia(message) ? { ...message, content: textOf(parts) } : message);
      media = hasMedia(message) ? [...media, ...parts.filter((part) => !isText(part))] : media;
      continue;
    }
    if (media.length > 0 && role !== "user") moved.push({ role: "user", content: media });
    moved.push(media.length > 0 && role === "user" ? { ...message, content: [...media, ...parts] } : message);
    media = [];
  }
  return media.length > 0 ? [...moved, { role: "user", content: media }] : moved;
}

function textOf(parts: readonly unknown[]): unknown {
  const texts = parts.filter(isText);
  return texts.length === 0 ? "The result is in the next message." : texts;
}
