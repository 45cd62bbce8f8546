/** A function call of the upstream's model. */
export interface ScriptedToolCall {
  readonly id: string;
  readonly name: string;
  /**
   * A JSON object in the pieces in which the upstream streams it. An upstream that does not stream arguments joins
   * them.
   */
  readonly argumentPieces: readonly string[];
}

/** An answer of the upstream's model, in a provider-neutral form. */
export interface ScriptedAnswer {
  readonly kind: "answer";
  /** The text in the pieces in which it is streamed. Empty for an answer with only tool calls. */
  readonly pieces: readonly string[];
  readonly toolCalls: readonly ScriptedToolCall[];
  readonly finish: "stop" | "length" | "tool_calls";
  readonly promptTokens: number;
  readonly completionTokens: number;
  /**
   * How the answer ends. After the first piece of text, `cut` breaks the connection, `stalled` sends nothing more,
   * `ended` closes without a finish reason, and `error` sends an error.
   */
  readonly ending: "whole" | "cut" | "ended" | "stalled" | "error";
}

/** A failure that the upstream reports, in a provider-neutral form. */
export interface ScriptedFailure {
  readonly kind: "failure";
  /** The HTTP status, or the equivalent status of an error inside a stream. */
  readonly status: number;
  /** `context_length`: the error that the upstream sends for a prompt that is too long. */
  readonly about: "context_length" | "anything";
  readonly message: string;
  /** The value of the header `retry-after`. */
  readonly retryAfterSeconds?: number;
  /** `stream`: sent in the first event of a stream that began with 200. */
  readonly place: "head" | "stream";
}

/** A response in another dialect than that of the codec. It is sent as it is; only over HTTP. */
export interface ScriptedBytes {
  readonly kind: "bytes";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly string[];
  /** How the response ends. After the first piece, `cut` breaks the connection, and `stalled` sends nothing more. */
  readonly ending: "whole" | "cut" | "stalled";
}

/** How the upstream responds to one request. */
export type UpstreamScript =
  | ScriptedAnswer
  | ScriptedFailure
  | ScriptedBytes
  /** A response that does not have the upstream's format; only over HTTP. */
  | { readonly kind: "other"; readonly status: number; readonly contentType: string; readonly body: string }
  /** The connection is reset before the response; only over HTTP. */
  | { readonly kind: "reset" }
  /** There is never a response. */
  | { readonly kind: "silence" };

/** An answer with the text "Hello." and the given overrides. */
export function answering(overrides: Partial<ScriptedAnswer> = {}): ScriptedAnswer {
  return {
    kind: "answer",
    pieces: ["Hel", "lo."],
    toolCalls: [],
    finish: "stop",
    promptTokens: 11,
    completionTokens: 7,
    ending: "whole",
    ...overrides,
  };
}

/** A failure with the given status, by default sent as the status of the response. */
export function failing(status: number, overrides: Partial<ScriptedFailure> = {}): ScriptedFailure {
  return { kind: "failure", status, about: "anything", message: "Something is wrong.", place: "head", ...overrides };
}
