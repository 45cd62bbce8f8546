import { finishReasonOf } from "@tollgate/core/provider";

/**
 * Maps a stop reason to OpenAI's finish reason: an answer that was paused or cut off is not complete. Throws a ProviderError
 * for one that the upstream gave up. Absent: complete.
 * Follows https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
export const toFinishReason = (stopReason: unknown): string =>
  typeof stopReason === "string" ? finishReasonOf(stopReason) : "stop";
