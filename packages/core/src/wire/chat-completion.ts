import type { ToolCall } from "./chat-completion-request.ts";

/** The message of a choice. */
export interface CompletionMessage {
  readonly role?: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly ToolCall[];
  readonly [key: string]: unknown;
}

/** One of the answers of a completion. */
export interface CompletionChoice {
  readonly index?: number;
  readonly message: CompletionMessage;
  readonly finish_reason?: string | null;
  readonly [key: string]: unknown;
}

/**
 * A completion, as a provider may return it. The gateway adds missing members, and rejects what it cannot normalize.
 * Follows https://platform.openai.com/docs/api-reference/chat/object
 */
export interface ChatCompletion {
  readonly id?: string;
  readonly object?: string;
  readonly created?: number;
  readonly model?: string;
  readonly choices: readonly CompletionChoice[];
  readonly usage?: unknown;
  readonly [key: string]: unknown;
}

/** A piece of a tool call. Pieces with the same `index` form one call. */
export interface ToolCallDelta {
  readonly index?: number;
  readonly id?: string;
  readonly type?: "function";
  readonly function?: { readonly name?: string; readonly arguments?: string };
  readonly [key: string]: unknown;
}

/** What a frame adds to the message of one choice. */
export interface ChatCompletionDelta {
  readonly role?: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly ToolCallDelta[];
  readonly [key: string]: unknown;
}

/** What a frame adds to one choice. */
export interface ChunkChoice {
  readonly index?: number;
  readonly delta: ChatCompletionDelta;
  readonly finish_reason?: string | null;
  readonly [key: string]: unknown;
}

/**
 * One frame of a streamed completion, as a provider may return it. The gateway adds missing members.
 * Follows https://platform.openai.com/docs/api-reference/chat/streaming
 */
export interface ChatCompletionChunk {
  readonly id?: string;
  readonly object?: string;
  readonly created?: number;
  readonly model?: string;
  readonly choices: readonly ChunkChoice[];
  readonly usage?: unknown;
  readonly [key: string]: unknown;
}

/** What a completion and all frames of a stream share: an id, a time in Unix seconds, and the public model id. */
export interface AnswerIdentity {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}
