import type { LanguageModelV3FilePart } from "@ai-sdk/provider";
import { isJsonObject } from "./json-object.ts";
import { refusal } from "./refusal.ts";

/** Maps an `image_url` to a file part: the bytes of a data URL, or an http URL that the upstream fetches. */
export function toImage(image: unknown, param: string): LanguageModelV3FilePart {
  const { url, detail } = isJsonObject(image) ? image : {};
  const file = typeof url === "string" ? (readImageData(url) ?? readHttpUrl(url)) : undefined;
  if (file === undefined)
    throw refusal("image_url must be a base64 data URL of an image, or an http or https URL.", param);
  const detailed = typeof detail === "string" ? { providerOptions: { openai: { imageDetail: detail } } } : {};
  return { type: "file", ...file, ...detailed };
}

/** Maps an `input_audio` to a file part. */
export function toAudio(audio: unknown, param: string): LanguageModelV3FilePart {
  const { data, format } = isJsonObject(audio) ? audio : {};
  if (typeof data === "string" && typeof format === "string" && /^[\w.-]{1,40}$/.test(format)) {
    return { type: "file", data, mediaType: `audio/${format}` };
  }
  throw refusal("input_audio must have base64 data and a format such as wav or mp3.", param);
}

/** Maps a `file` whose bytes are in the request. A file id is rejected, since it is valid only at the upstream that issued it. */
export function toFile(file: unknown, param: string): LanguageModelV3FilePart {
  const { file_data: data, filename } = isJsonObject(file) ? file : {};
  const read = typeof data === "string" ? readDataUrl(data, "application/octet-stream") : undefined;
  if (read === undefined) throw refusal("file must have its bytes in file_data, as a base64 data URL.", param);
  return { type: "file", ...read, ...(typeof filename === "string" ? { filename } : {}) };
}

/** Accepts only images: a file of another media type can cost more tokens than the hold reserves for an image. */
function readImageData(url: string): File | undefined {
  const file = readDataUrl(url, "");
  return file?.mediaType.startsWith("image/") ? file : undefined;
}

type File = Pick<LanguageModelV3FilePart, "data" | "mediaType">;

/** Follows RFC 2397, but accepts only base64. */
function readDataUrl(url: string, defaultType: string): File | undefined {
  const comma = url.indexOf(",");
  const head = /^data:([^;]*)(?:;[^;]*)*;base64$/i.exec(url.slice(0, Math.max(0, comma)));
  if (head === null) return undefined;
  return { data: url.slice(comma + 1), mediaType: head[1]?.toLowerCase() || defaultType };
}

function readHttpUrl(url: string): File | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  return { data: new URL(url), mediaType: "image/*" };
}
