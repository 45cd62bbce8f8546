import type { ChatMessage } from "./chat-completion-request.ts";
import { type Images, imagesOf } from "./images.ts";
import { type UnknownParts, unknownPartsOf } from "./unknown-parts.ts";

/** The messages of a request, and what its checks and bounds ask of them, so that those need not read them. */
export interface Prompt {
  readonly messages: readonly ChatMessage[];
  readonly messageCount: number;
  readonly images: Images;
  /** Parts that are neither a text nor an image, so that nobody knows how many tokens they have. */
  readonly unknown: UnknownParts;
}

/** The prompt that messages are. */
export const promptOf = (messages: readonly ChatMessage[]): Prompt => ({
  messages,
  messageCount: messages.length,
  images: imagesOf(messages),
  unknown: unknownPartsOf(messages),
});
