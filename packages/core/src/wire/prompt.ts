import type { ChatMessage } from "./chat-completion-request.ts";
import { type Images, imagesOf, isImage } from "./images.ts";

/** The messages of a request, and what its checks and bounds ask of them, so that those need not read them. */
export interface Prompt {
  readonly messages: readonly ChatMessage[];
  readonly length: number;
  readonly images: Images;
  /** A part is neither a text nor an image, so that nobody knows how many tokens it has. */
  readonly hasUnknownPart: boolean;
}

/** The prompt that messages are. */
export const promptOf = (messages: readonly ChatMessage[]): Prompt => ({
  messages,
  length: messages.length,
  images: imagesOf(messages),
  hasUnknownPart: messages.some(hasUnknownPart),
});

const hasUnknownPart = ({ content }: ChatMessage): boolean =>
  Array.isArray(content) && content.some((part) => part["type"] !== "text" && !isImage(part));
