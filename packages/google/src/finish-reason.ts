import { finishReasonOf, ProviderError } from "@tollgate/core/provider";

const filtered = "content_filter";

/** Follows https://ai.google.dev/api/generate-content#FinishReason */
const reasons: ReadonlyMap<string, string> = new Map([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", filtered],
  ["RECITATION", filtered],
  ["LANGUAGE", filtered],
  ["BLOCKLIST", filtered],
  ["PROHIBITED_CONTENT", filtered],
  ["SPII", filtered],
  ["IMAGE_SAFETY", filtered],
  ["IMAGE_PROHIBITED_CONTENT", filtered],
  ["IMAGE_RECITATION", filtered],
]);

/** The model produced invalid output, or the answer ended for a reason that is not known. A retry may succeed. */
const faults: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "MALFORMED_RESPONSE",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MISSING_THOUGHT_SIGNATURE",
  "NO_IMAGE",
  "IMAGE_OTHER",
  "OTHER",
]);

/**
 * Maps a finish reason to OpenAI's. Returns undefined if the candidate has not ended. Throws a ProviderError of the kind
 * `failed` for an answer that was not finished, so that it does not look complete.
 */
export function toFinishReason(reason: unknown, hasCalls: boolean): string | undefined {
  if (typeof reason !== "string" || reason === "" || reason === "FINISH_REASON_UNSPECIFIED") return undefined;
  const mapped = faults.has(reason) ? "interrupted" : (reasons.get(reason) ?? finishReasonOf(reason));
  if (mapped === "interrupted") {
    throw new ProviderError(
      "failed",
      `The model did not finish its answer (${reason.slice(0, 100)}). Try again, or use another target.`,
    );
  }
  return mapped === "stop" && hasCalls ? "tool_calls" : mapped;
}
