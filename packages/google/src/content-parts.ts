import type { ChatMessage } from "@tollgate/core/provider";
import { toFilePart } from "./file-part.ts";
import type { MediaPart, TextPart } from "./gemini-request.ts";
import { toImagePart } from "./image-part.ts";
import { isObject, objectAt, textAt } from "./json.ts";
import { refused } from "./refused.ts";

type Content = ChatMessage["content"];

/** Maps the texts, images and files of a user message, without empty texts. `param` is the path of the content. */
export function userParts(content: Content, param: string): (TextPart | MediaPart)[] {
  if (!Array.isArray(content)) return textParts(content, param);
  return content.flatMap((part: unknown, index): (TextPart | MediaPart)[] => {
    const image = isObject(part) && part["type"] === "image_url" ? objectAt(part, "image_url") : undefined;
    const at = `${param}.${index}`;
    if (isObject(part) && part["type"] === "file") return [toFilePart(part, `${at}.file.file_data`)];
    return image === undefined
      ? textPart(part, at, "text, images and files")
      : [toImagePart(textAt(image, "url") ?? "", `${at}.image_url.url`)];
  });
}

/** Maps the texts of a message that may contain only text, without empty ones. */
export function textParts(content: Content, param: string): TextPart[] {
  if (content == null || content === "") return [];
  if (typeof content === "string") return [{ text: content }];
  return content.flatMap((part: unknown, index) => textPart(part, `${param}.${index}`, "text"));
}

function textPart(part: unknown, param: string, allowed: string): TextPart[] {
  const type = isObject(part) ? part["type"] : undefined;
  if (!isObject(part) || (type !== "text" && type !== "refusal")) {
    throw refused(param, `For this model a message with this role can contain only ${allowed}. Leave other parts out.`);
  }
  const text = textAt(part, type);
  return text === undefined ? [] : [{ text }];
}
