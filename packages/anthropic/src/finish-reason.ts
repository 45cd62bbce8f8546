const reasons: ReadonlyMap<unknown, string> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  // Only tools that the API executes pause a turn, and this provider never sends any.
  ["pause_turn", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
  ["refusal", "content_filter"],
]);

/**
 * Maps a stop reason to OpenAI's finish reason; an unknown one to "stop".
 * Follows https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
export const toFinishReason = (stopReason: unknown): string => reasons.get(stopReason) ?? "stop";
