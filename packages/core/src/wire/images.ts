import type { ChatMessage } from "./chat-completion-request.ts";

/** One part of a content that is a list. */
export type ContentPart = Exclude<NonNullable<ChatMessage["content"]>, string>[number];

/** The images of a prompt, whose addresses are no text to the model, though they may be megabytes of base64. */
export interface Images {
  readonly count: number;
  /** UTF-16 units of their addresses, which UTF-8 never has fewer bytes for. */
  readonly addressLength: number;
}

/** The images in the contents of messages. */
export function imagesOf(messages: readonly Pick<ChatMessage, "content">[]): Images {
  let count = 0;
  let addressLength = 0;
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      if (!isImage(part)) continue;
      count += 1;
      addressLength += addressOf(part).length;
    }
  }
  return { count, addressLength };
}

/** True for a part that is an image. */
export const isImage = (part: ContentPart): boolean => part["type"] === "image_url";

/** A content less its images. */
export function withoutImages(content: ChatMessage["content"]): ChatMessage["content"] {
  return Array.isArray(content) ? content.filter((part) => !isImage(part)) : content;
}

function addressOf({ image_url: image }: ContentPart): string {
  const url: unknown = typeof image === "object" && image !== null && "url" in image ? image.url : undefined;
  return typeof url === "string" ? url : "";
}
