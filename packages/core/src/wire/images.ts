import type { ChatMessage } from "./chat-completion-request.ts";

/** One part of a content that is an array. */
export type ContentPart = Exclude<NonNullable<ChatMessage["content"]>, string>[number];

/**
 * True for a data URL (RFC 2397) whose media type is missing or is not an image. Ignores spaces and control characters,
 * as URL parsers do.
 */
export function isOtherData(url: string): boolean {
  const head = url.slice(0, longestHead).replace(ignored, "");
  return /^data:/i.test(head) && !/^data:image\/[^;,]/i.test(head);
}

/** The error message for such a URL, after its path. */
export const imageTypesOnly =
  'is a data URL without an image media type. Send an image, such as "data:image/png;base64,".';

const longestHead = 256;
const ignored = /[\s\p{Cc}]/gu;

/** Returns the dot path of the first image whose data URL has another media type, or undefined if there is none. */
export function findOtherData(messages: readonly Pick<ChatMessage, "content">[]): string | undefined {
  for (const [index, { content }] of messages.entries()) {
    const at = Array.isArray(content) ? content.findIndex((part) => isImage(part) && isOtherData(addressOf(part))) : -1;
    if (at >= 0) return `messages.${index}.content.${at}.image_url.url`;
  }
  return undefined;
}

/** True for a part that is an image. */
export const isImage = (part: ContentPart): boolean => part["type"] === "image_url";

/** Returns a content without its images. */
export function withoutImages(content: ChatMessage["content"]): ChatMessage["content"] {
  return Array.isArray(content) ? content.filter((part) => !isImage(part)) : content;
}

function addressOf({ image_url: image }: ContentPart): string {
  const url: unknown = typeof image === "object" && image !== null && "url" in image ? image.url : undefined;
  return typeof url === "string" ? url : "";
}
