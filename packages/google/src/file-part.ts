import { isTextual, type JsonObject, readFilePart } from "@tollgate/core/provider";
import type { MediaPart } from "./gemini-request.ts";
import { refused } from "./refused.ts";

/**
 * Maps a file part of a message, whose data is sent inline: a PDF or an image as it is, and any kind of text as plain text.
 * `param` is the path of its data, for errors. Follows https://ai.google.dev/gemini-api/docs/document-processing
 */
export function toFilePart(part: JsonObject, param: string): MediaPart {
  const { mediaType = "", base64: data = "" } = readFilePart(part) ?? {};
  if (mediaType === "application/pdf" || mediaType.startsWith("image/"))
    return { inlineData: { mimeType: mediaType, data } };
  if (isTextual(mediaType)) return { inlineData: { mimeType: "text/plain", data } };
  throw refused(param, "A file must be a base64 data URL of a PDF, an image or a text. Send the text of other files.");
}
