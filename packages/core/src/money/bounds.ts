import type { Model } from "../ports/model.ts";
import type { ChatParameters } from "../wire/chat-completion-request.ts";
import type { ContentPart } from "../wire/images.ts";
import type { Prompt } from "../wire/prompt.ts";

const tokensPerMessage = 8;
const tokensPerRequest = 32;

/**
 * The longest token that a tokenizer is taken to have. The longest in the published vocabularies (cl100k_base and
 * o200k_base, https://github.com/openai/tiktoken) is a run of 128 spaces.
 */
const longestTokenBytes = 128;

/** What a prompt is bounded by. */
export type PromptSizes = Pick<Model, "contextWindow" | "imageTokens" | "unknownPartTokens">;

/**
 * The most tokens that a prompt can have: half its bytes, 8 a message, the model's tokens for each image, and 32; at
 * most the context window. `bodyBytes` is the length of the request's JSON in UTF-8, which is never less
 * than its text; the addresses of images do not count as text. Parts of another type than text or image_url count as
 * the whole window together, whatever their bytes, and as 200,000 tokens where the model has none.
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

/** The most output that a request can cause, in tokens. */
export interface OutputBound {
  /** How many choices the client asked for. */
  readonly choices: number;
  /** The cap of one choice. */
  readonly perChoice: number;
  /** All choices together: what a hold counts. */
  readonly total: number;
  /** The client gave a cap of its own, so it may not be shrunk in silence. */
  readonly capped: boolean;
}

/** The bound on the output: n times the least of max_completion_tokens, max_tokens and the model's maximum. */
export function outputBound(request: ChatParameters, model: Pick<Model, "maxOutputTokens">): OutputBound {
  const most = model.maxOutputTokens;
  const perChoice = Math.min(request.max_completion_tokens ?? most, request.max_tokens ?? most, most);
  const choices = request.n ?? 1;
  const capped = request.max_completion_tokens != null || request.max_tokens != null;
  return { choices, perChoice, total: choices * perChoice, capped };
}

/**
 * True only for a prompt that no tokenizer can fit into the window: even if each token were as long as the longest
 * that is known, the text of its messages would have too many. UTF-16 units count as bytes, which they never exceed.
 */
export function certainlyTooLong(prompt: Prompt, bodyBytes: number, contextWindow: number): boolean {
  const most = contextWindow * longestTokenBytes;
  // Almost no body is as long, and the text of its messages is shorter still.
  if (bodyBytes <= most) return false;
  let units = 0;
  for (const { content } of prompt.messages) {
    if (typeof content === "string") units += content.length;
    else for (const part of content ?? []) units += textLength(part);
  }
  return units > most;
}

/** Tokens that a text of so many UTF-8 bytes is taken to have when nobody counted them. */
export const estimateTokens = (bytes: number): number => Math.ceil(bytes / 4);

function textLength(part: ContentPart): number {
  return part["type"] === "text" && typeof part["text"] === "string" ? part["text"].length : 0;
}
