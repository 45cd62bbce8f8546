import type { ChatMessage } from "@tollgate/core/provider";
import type { MediaPart, TextPart } from "./gemini-request.ts";
import { toImagePart } from "./image-part.ts";
import { isObject, objectAt, textAt } from "./json.ts";
import { refused } from "./refused.ts";

type Content = ChatMessage["content"];

/** The texts and images of a user's content, empty texts left out. `param` is the dot path of the content. */
export function userParts(content: Content, param: string): (TextPart | MediaPart)[] {
  if (!Array.isArray(content)) return textParts(content, param);
  return content.flatMap((part: unknown, index): (TextPart | MediaPart)[] => {
    const image = isObject(part) && part["type"] === "image_url" ? objectAt(part, "image_url") : undefined;
    const at = `${param}.${index}`;
    return image === undefined
      ? textPart(part, at, "text and images")
      : [toImagePart(textAt(image, "url") ?? "", `${at}.image_url.url`)];
  });
}

/** The texts of a content that may hold nothing else, empty ones left out. */
export function textParts(content: Content, param: string): TextPart[] {
  if (content == null || content === "") return [];
  if (typeof content === "string") return [{ text: content }];
  return content.flatMap((part: unknown, index) => textPart(part, `${param}.${index}`, "text"));
}

function textPart(part: unknown, param: string, takes: string): TextPart[] {
  const type = isObject(part) ? part["type"] : undefined;
  if (!isObject(part) || (type !== "text" && type !== "refusal")) {
    throw refused(param, `For this model a message with this role can contain only ${takes}. Leave other parts out.`);
  }
  const text = textAt(part, type);
  return text === undefined ? [] : [{ text }];
}
