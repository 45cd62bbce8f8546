import type { ChatMessage } from "./chat-completion-request.ts";
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

/** The most inputs of one request. Follows https://platform.openai.com/docs/api-reference/embeddings/create */
export const maxEmbeddingInputs = 2_048;

/** The limits of a model of embeddings. */
export interface InputLimits {
  readonly maxInputs: number;
  /** In tokens of one input. */
  readonly contextWindow: number | undefined;
  readonly dimensions: number | undefined;
}

/** The inputs of an embeddings request, with the sizes by which its tokens are bounded. */
export interface EmbeddingInputs {
  readonly count: number;
  /** The number of all tokens in inputs that are tokens. */
  readonly tokens: number;
  /** The length in UTF-8 of all inputs that are texts. */
  readonly textBytes: number;
  /** The inputs that are texts. */
  readonly texts: readonly string[];
  /** Throws 400 for inputs that exceed the limits of the model. */
  check(limits: InputLimits): void;
  /** Returns the upper bound of their tokens. */
  bound(contextWindow: number | undefined): number;
}
