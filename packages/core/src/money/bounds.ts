import type { Model } from "../ports/model.ts";
import type { ChatParameters } from "../wire/chat-completion-request.ts";
import type { ContentPart } from "../wire/images.ts";
import type { Prompt } from "../wire/prompt.ts";

const tokensPerMessage = 8;
const tokensPerRequest = 32;

/**
 * The assumed maximum length of a token. The longest in the published vocabularies (cl100k_base and o200k_base,
 * https://github.com/openai/tiktoken) is a run of 128 spaces.
 */
const longestTokenBytes = 128;

/** The members of a model that bound a prompt. */
export type PromptSizes = Pick<Model, "contextWindow" | "imageTokens" | "unknownPartTokens">;

/**
 * Returns the upper bound of a prompt's tokens: half its bytes, 8 per message, the model's tokens for each image, and
 * 32; at most the context window. `bodyBytes` is the length of the request's JSON in UTF-8, which is never less than
 * its text. The URLs of images do not count as text. Any parts of another type than text or image_url count as the
 * whole window together, or as 200,000 tokens where the model has no window.
 */
export function promptBound({ messageCount, images, unknown }: Prompt, bodyBytes: number, model: PromptSizes): number {
  const { contextWindow: window, imageTokens, unknownPartTokens } = model;
  if (unknown.count > 0 && window !== undefined) return window;
  const parts = unknown.count > 0 ? unknownPartTokens : 0;
  const text = Math.ceil(Math.max(0, bodyBytes - images.addressLength - unknown.textLength) / 2);
  const messages = tokensPerMessage * messageCount;
  return Math.min(
    window ?? Number.POSITIVE_INFINITY,
    text + messages + images.count * imageTokens + parts + tokensPerRequest,
  );
}

/** The upper bound of a request's output, in tokens. */
export interface OutputBound {
  /** The number of choices that the client requests. */
  readonly choices: number;
  /** The cap of one choice. */
  readonly perChoice: number;
  /** All choices together, which the hold covers. */
  readonly total: number;
  /** True if the client set a cap, which the gateway must not lower without an error. */
  readonly capped: boolean;
}

/** Returns the bound on the output: n times the lowest of max_completion_tokens, max_tokens and the model's maximum. */
export function outputBound(request: ChatParameters, model: Pick<Model, "maxOutputTokens">): OutputBound {
  const most = model.maxOutputTokens;
  const perChoice = Math.min(request.max_completion_tokens ?? most, request.max_tokens ?? most, most);
  const choices = request.n ?? 1;
  const capped = request.max_completion_tokens != null || request.max_tokens != null;
  return { choices, perChoice, total: choices * perChoice, capped };
}

/**
 * Returns true only for a prompt that no tokenizer can fit into the window: the text of its messages has too many tokens
 * even if each has the maximum length. It counts UTF-16 units, which are never more than the bytes.
 */
export function certainlyTooLong(prompt: Prompt, bodyBytes: number, contextWindow: number): boolean {
  const most = contextWindow * longestTokenBytes;
  // Almost every request ends here, since the text of its messages is shorter than its body.
  if (bodyBytes <= most) return false;
  let units = 0;
  for (const { content } of prompt.messages) {
    if (typeof content === "string") units += content.length;
    else for (const part of content ?? []) units += textLength(part);
  }
  return units > most;
}

/** Estimates the tokens of a text from its UTF-8 bytes. */
export const estimateTokens = (bytes: number): number => Math.ceil(bytes / 4);

function textLength(part: ContentPart): number {
  return part["type"] === "text" && typeof part["text"] === "string" ? part["text"].length : 0;
}
