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
