import { isPlainObject, readDataUrl } from "@tollgate/core/internal";
import { type ChatMessage, isTextual, type JsonObject, readFilePart } from "@tollgate/core/provider";
import type { MediaPart, TextPart } from "./gemini-request.ts";
import { objectAt, textAt } from "./json.ts";
import { refused } from "./refused.ts";

/** Maps the texts, images and files of a user message, without empty texts. `param` is the path of the content. */
export function userParts(content: ChatMessage["content"], param: string): (TextPart | MediaPart)[] {
  if (!Array.isArray(content)) return textParts(content, param);
  return content.flatMap((part: unknown, index): (TextPart | MediaPart)[] => {
    const image = isPlainObject(part) && part["type"] === "image_url" ? objectAt(part, "image_url") : undefined;
    const at = `${param}.${index}`;
    if (isPlainObject(part) && part["type"] === "file") return [toFilePart(part, `${at}.file.file_data`)];
    return image === undefined
      ? textPart(part, at, "text, images and files")
      : [toImagePart(textAt(image, "url") ?? "", `${at}.image_url.url`)];
  });
}

/** Maps the texts of a message that may contain only text, without empty ones. */
export function textParts(content: ChatMessage["content"], param: string): TextPart[] {
  if (content == null || content === "") return [];
  if (typeof content === "string") return [{ text: content }];
  return content.flatMap((part: unknown, index) => textPart(part, `${param}.${index}`, "text"));
}

function textPart(part: unknown, param: string, allowed: string): TextPart[] {
  const type = isPlainObject(part) ? part["type"] : undefined;
  if (!isPlainObject(part) || (type !== "text" && type !== "refusal")) {
    throw refused(param, `For this model a message with this role can contain only ${allowed}. Leave other parts out.`);
  }
  const text = textAt(part, type);
  return text === undefined ? [] : [{ text }];
}

/**
 * Maps a file part of a message, whose data is sent inline: a PDF or an image as it is, and any kind of text as plain text.
 * `param` is the path of its data, for errors. Follows https://ai.google.dev/gemini-api/docs/document-processing
 */
function toFilePart(part: JsonObject, param: string): MediaPart {
  const { mediaType = "", base64: data = "" } = readFilePart(part) ?? {};
  if (mediaType === "application/pdf" || mediaType.startsWith("image/"))
    return { inlineData: { mimeType: mediaType, data } };
  if (isTextual(mediaType)) return { inlineData: { mimeType: "text/plain", data } };
  throw refused(param, "A file must be a base64 data URL of a PDF, an image or a text. Send the text of other files.");
}

const typeOfExtension: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["webp", "image/webp"],
  ["bmp", "image/bmp"],
  ["heic", "image/heic"],
  ["heif", "image/heif"],
]);

/**
 * Maps an image of a message. A base64 data URL is sent inline; Google fetches an http or https URL, whose media type is
 * derived from its extension. `param` is the path of the URL, for errors.
 */
export function toImagePart(url: string, param: string): MediaPart {
  if (/^data:/i.test(url)) return toInlineData(url, param);
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw refused(param, "The image must be a base64 data URL, or an http or https URL.");
  }
  const { hostname, pathname, href } = new URL(url);
  // Google would read its own files with the host's key, which a client must not use.
  if (/(?:^|\.)googleapis\.com\.?$/.test(hostname)) {
    throw refused(param, "Images on hosts of Google's APIs cannot be read. Send the image as a base64 data URL.");
  }
  const mimeType = typeOfExtension.get(/\.([a-z]+)$/i.exec(pathname)?.[1]?.toLowerCase() ?? "");
  if (mimeType === undefined) {
    throw refused(
      param,
      "The path of an image's URL must end in .png, .jpg, .jpeg, .webp, .bmp, .heic or .heif for this model. Otherwise send the image as a base64 data URL.",
    );
  }
  return { fileData: { mimeType, fileUri: href } };
}

function toInlineData(url: string, param: string): MediaPart {
  const read = readDataUrl(url);
  if (read?.mediaType.startsWith("image/")) return { inlineData: { mimeType: read.mediaType, data: read.base64 } };
  throw refused(
    param,
    'The data URL of an image must begin with an image media type and base64, such as "data:image/png;base64,".',
  );
}
