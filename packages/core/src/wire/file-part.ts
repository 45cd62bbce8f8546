import { isJsonObject, isText, type JsonObject } from "./json.ts";

/** The file in a part of a message. */
export interface FileData {
  /** In lower case and without parameters. */
  readonly mediaType: string;
  readonly base64: string;
  readonly name: string | undefined;
}

/**
 * Reads a part `{"type": "file", "file": {"file_data", "filename"}}`, whose data is a data URL in base64 (RFC 2397), or base64
 * of the type that the name has. Undefined for a file that is not in the request, such as one by its id.
 * Follows https://platform.openai.com/docs/guides/pdf-files
 */
export function readFilePart({ file }: JsonObject): FileData | undefined {
  const { file_data: data, filename } = isJsonObject(file) ? file : {};
  if (!isText(data)) return undefined;
  const name = isText(filename) ? filename : undefined;
  const inUrl = readDataUrl(data);
  if (inUrl !== undefined) return { ...inUrl, mediaType: inUrl.mediaType || "text/plain", name };
  const mediaType = typeOfName(name);
  return mediaType === undefined || data.includes(":") ? undefined : { mediaType, base64: data, name };
}

/** Reads a data URL in base64 (RFC 2397). The media type is in lower case, without parameters, and empty if the URL has none. */
export function readDataUrl(url: string): { readonly mediaType: string; readonly base64: string } | undefined {
  const head = dataUrlHead.exec(url.slice(0, url.indexOf(",") + 1));
  return head === null ? undefined : { mediaType: (head[1] ?? "").toLowerCase(), base64: url.slice(head[0].length) };
}

/** True for the type of a file that a model can read as text. */
export const isTextual = (mediaType: string): boolean => mediaType.startsWith("text/") || textualTypes.test(mediaType);

const dataUrlHead = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^;,]*)*;base64,$/i;
const textualTypes = /^application\/(?:json|xml|yaml|x-yaml|javascript|typescript|toml|sql|[\w.-]+\+(?:json|xml))$/;

function typeOfName(name: string | undefined): string | undefined {
  const extension = /\.(\w+)$/.exec(name ?? "")?.[1]?.toLowerCase();
  if (extension === "pdf") return "application/pdf";
  return textExtensions.has(extension) ? "text/plain" : undefined;
}

const textExtensions: ReadonlySet<string | undefined> = new Set([
  "txt",
  "md",
  "csv",
  "json",
  "xml",
  "html",
  "yaml",
  "yml",
]);
