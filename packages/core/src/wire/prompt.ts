import type { ChatMessage } from "./chat-completion-request.ts";
import type { EmbeddingInputs } from "./embedding-inputs.ts";
import { type Media, mediaOf } from "./media.ts";

/** The messages of a request, and the findings that its checks and bounds need from them. */
export interface Prompt extends Media {
  readonly messages: readonly ChatMessage[];
  readonly messageCount: number;
  /** The inputs of an embeddings request. Its messages are then those that are texts. */
  readonly inputs?: EmbeddingInputs;
}

/** Creates a prompt from messages. */
export function promptOf(messages: readonly ChatMessage[]): Prompt {
  const { images, unknown } = mediaOf(messages);
  return { messages, messageCount: messages.length, images, unknown };
}

/** Creates the prompt of an embeddings request. */
export const promptOfInputs = (inputs: EmbeddingInputs): Prompt => ({
  ...promptOf(inputs.texts.map((content) => ({ role: "user", content }))),
  inputs,
});
