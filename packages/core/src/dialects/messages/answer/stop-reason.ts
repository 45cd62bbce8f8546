const reasons: ReadonlyMap<unknown, string> = new Map([
  ["length", "max_tokens"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["content_filter", "refusal"],
]);

/** How an answer stopped. */
export interface Stop {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
}

/** What is known of the end of an answer. */
export interface KnownEnd {
  readonly finishReason: unknown;
  /** Some upstreams name the stop sequence that was found. */
  readonly stopReason: unknown;
  /** The stop sequences of the request. */
  readonly sequences: readonly string[];
  readonly hasCalls: boolean;
  readonly hasRefused: boolean;
}

/**
 * Maps the end of a chat completion. Some upstreams report "stop" after tool calls, for which clients of this API wait.
 * Follows https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
export function toStop({ finishReason, stopReason, sequences, hasCalls, hasRefused }: KnownEnd): Stop {
  const known = reasons.get(finishReason);
  if (known !== undefined) return { stop_reason: known, stop_sequence: null };
  if (hasCalls) return { stop_reason: "tool_use", stop_sequence: null };
  if (hasRefused) return { stop_reason: "refusal", stop_sequence: null };
  const sequence = sequences.find((each) => each === stopReason);
  return sequence === undefined
    ? { stop_reason: "end_turn", stop_sequence: null }
    : { stop_reason: "stop_sequence", stop_sequence: sequence };
}

/** Returns the stop sequences of a request in the form of a chat completion. */
export const sequencesOf = (stop: unknown): readonly string[] =>
  Array.isArray(stop) ? stop.filter((each) => typeof each === "string") : [];
