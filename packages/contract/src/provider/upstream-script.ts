/** A call of a function that the upstream's model makes. */
export interface ScriptedToolCall {
  readonly id: string;
  readonly name: string;
  /** A JSON object, in the pieces in which the upstream streams it; one that sends it whole joins them. */
  readonly argumentPieces: readonly string[];
}

/** An answer of the upstream's model, in no provider's form. */
export interface ScriptedAnswer {
  readonly kind: "answer";
  /** The text in the pieces in which it is streamed; empty when there are only tool calls. */
  readonly pieces: readonly string[];
  readonly toolCalls: readonly ScriptedToolCall[];
  readonly finish: "stop" | "length" | "tool_calls";
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** What becomes of it: `cut` and `stalled` are so after the first piece of text. `ended` closes there without a finish. */
  readonly ending: "whole" | "cut" | "ended" | "stalled" | "error";
}

/** A failure that the upstream tells, in no provider's form. */
export interface ScriptedFailure {
  readonly kind: "failure";
  /** The HTTP status, and the status that an error inside a stream stands for. */
  readonly status: number;
  /** `context_length`: told as the upstream tells that a prompt is too long. */
  readonly about: "context_length" | "anything";
  readonly message: string;
  /** Sent as the header `retry-after`. */
  readonly retryAfterSeconds?: number;
  /** `stream`: told in the first event of a stream that began with 200. */
  readonly place: "head" | "stream";
}

/** What the upstream does with one request. */
export type UpstreamScript =
  | ScriptedAnswer
  | ScriptedFailure
  /** An answer that is not of the upstream's form; only over HTTP. */
  | { readonly kind: "other"; readonly status: number; readonly contentType: string; readonly body: string }
  /** The connection is reset before the head of an answer; only over HTTP. */
  | { readonly kind: "reset" }
  /** Nothing ever comes. */
  | { readonly kind: "silence" };

/** An answer that says "Hello.", with the given differences. */
export function answering(more: Partial<ScriptedAnswer> = {}): ScriptedAnswer {
  return {
    kind: "answer",
    pieces: ["Hel", "lo."],
    toolCalls: [],
    finish: "stop",
    promptTokens: 11,
    completionTokens: 7,
    ending: "whole",
    ...more,
  };
}

/** A failure of the given status, told in the head of the answer unless `more` says otherwise. */
export function failing(status: number, more: Partial<ScriptedFailure> = {}): ScriptedFailure {
  return { kind: "failure", status, about: "anything", message: "Something is wrong.", place: "head", ...more };
}
