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
