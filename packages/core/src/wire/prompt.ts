import type { ChatMessage } from "./chat-completion-request.ts";
import type { EmbeddingInputs } from "./embedding-inputs.ts";
import { type Images, imagesOf } from "./images.ts";
import { type UnknownParts, unknownPartsOf } from "./unknown-parts.ts";

/** The messages of a request, and the findings that its checks and bounds need from them. */
export interface Prompt {
  readonly messages: readonly ChatMessage[];
  readonly messageCount: number;
  readonly images: Images;
  /** Parts that are neither text nor images, whose number of tokens is unknown. */
  readonly unknown: UnknownParts;
  /** The inputs of an embeddings request. Its messages are then those that are texts. */
  readonly inputs?: EmbeddingInputs;
}

/** Creates a prompt from messages. */
export const promptOf = (messages: readonly ChatMessage[]): Prompt => ({
  messages,
  messageCount: messages.length,
  images: imagesOf(messages),
  unknown: unknownPartsOf(messages),
});

/** Creates the prompt of an embeddings request. */
export const promptOfInputs = (inputs: EmbeddingInputs): Prompt => ({
  ...promptOf(inputs.texts.map((content) => ({ role: "user", content }))),
  inputs,
});
