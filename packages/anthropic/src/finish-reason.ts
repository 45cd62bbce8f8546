const reasons: ReadonlyMap<unknown, string> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  // Only tools that the API runs itself pause a turn, and none is ever sent.
  ["pause_turn", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
  ["refusal", "content_filter"],
]);

/**
 * Why an answer ended, in the router's words; "stop" for a reason that is not known yet.
 * Follows https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
export const toFinishReason = (stopReason: unknown): string => reasons.get(stopReason) ?? "stop";
