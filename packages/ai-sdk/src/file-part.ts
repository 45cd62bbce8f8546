import type { LanguageModelV3FilePart } from "@ai-sdk/provider";
import { isJsonObject } from "./json-object.ts";
import { refusal } from "./refusal.ts";

/** An `image_url` as a file: the bytes of a data URL, or an http address that the upstream fetches. */
export function toImage(image: unknown, param: string): LanguageModelV3FilePart {
  const { url, detail } = isJsonObject(image) ? image : {};
  const file = typeof url === "string" ? (readImageData(url) ?? readAddress(url)) : undefined;
  if (file === undefined)
    throw refusal("image_url must be a base64 data URL of an image, or an http or https URL.", param);
  const detailed = typeof detail === "string" ? { providerOptions: { openai: { imageDetail: detail } } } : {};
  return { type: "file", ...file, ...detailed };
}

/** An `input_audio` as a file. */
export function toAudio(audio: unknown, param: string): LanguageModelV3FilePart {
  const { data, format } = isJsonObject(audio) ? audio : {};
  if (typeof data === "string" && typeof format === "string" && /^[\w.-]{1,40}$/.test(format)) {
    return { type: "file", data, mediaType: `audio/${format}` };
  }
  throw refusal("input_audio must have base64 data and a format such as wav or mp3.", param);
}

/** A `file` whose bytes are in the request; one by its id is known to its own upstream alone. */
export function toFile(file: unknown, param: string): LanguageModelV3FilePart {
  const { file_data: data, filename } = isJsonObject(file) ? file : {};
  const read = typeof data === "string" ? readDataUrl(data, "application/octet-stream") : undefined;
  if (read === undefined) throw refusal("file must have its bytes in file_data, as a base64 data URL.", param);
  return { type: "file", ...read, ...(typeof filename === "string" ? { filename } : {}) };
}

/** A file of another media type can have more tokens than an image is held for. */
function readImageData(url: string): File | undefined {
  const file = readDataUrl(url, "");
  return file?.mediaType.startsWith("image/") ? file : undefined;
}

type File = Pick<LanguageModelV3FilePart, "data" | "mediaType">;

/** RFC 2397, in base64 only. */
function readDataUrl(url: string, otherwise: string): File | undefined {
  const comma = url.indexOf(",");
  const head = /^data:([^;]*)(?:;[^;]*)*;base64$/i.exec(url.slice(0, Math.max(0, comma)));
  if (head === null) return undefined;
  return { data: url.slice(comma + 1), mediaType: head[1]?.toLowerCase() || otherwise };
}

function readAddress(url: string): File | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  return { data: new URL(url), mediaType: "image/*" };
}
