import type { MediaPart } from "./gemini-request.ts";
import { refused } from "./refused.ts";

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
  const comma = url.indexOf(",");
  const mimeType = /^data:(image\/[\w.+-]+)(?:;[\w-]+=[^;,]*)*;base64$/i.exec(url.slice(0, Math.max(comma, 0)))?.[1];
  if (mimeType !== undefined) return { inlineData: { mimeType: mimeType.toLowerCase(), data: url.slice(comma + 1) } };
  throw refused(
    param,
    'The data URL of an image must begin with an image media type and base64, such as "data:image/png;base64,".',
  );
}
