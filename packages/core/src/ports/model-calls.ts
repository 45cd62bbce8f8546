import type { ChatMessage, Tool, ToolCall } from "../wire/chat-completion-request.ts";

/** A chat completion that an extension asks of a model. Whether it is streamed is up to the gateway. */
export interface ModelRequest {
  /** The public model id. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Tool[];
  /** Other parameters of POST /chat/completions. */
  readonly [parameter: string]: unknown;
}

/** The first choice of a completion. Absent texts are empty. */
export interface ModelAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  /** Each has an id of its own. */
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: string;
}

/** The answer of an extension to its client. */
export interface OwnAnswer {
  readonly message: ChatMessage;
  readonly finishReason: string;
}

/** The calls of models for one answer. They run one after another. */
export interface ModelCalls {
  /**
   * Calls a model. The call is checked, held and charged like a chat completion of the client. In a stream, its content is
   * passed on as it arrives. Rejects with the error that POST /chat/completions would return, and as soon as the client has
   * left; what the call has used is charged all the same.
   */
  call(request: ModelRequest): Promise<ModelAnswer>;
  /** Throws when the client has left, so that nobody would read the answer. */
  requireClient(): void;
  /** Throws when the client has left, or when a drain ends the request. */
  requireRunning(): void;
}

/** The context window of a model, for an extension that chooses which messages fit. */
export interface ContextWindow {
  /** Tokens of prompt and output together. */
  readonly tokens: number;
  readonly maxOutputTokens: number;
  /** Estimates the tokens of messages. */
  count(messages: readonly ChatMessage[]): number;
}
