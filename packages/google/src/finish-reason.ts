import { ProviderError } from "@tollgate/core/provider";

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

/** The model produced invalid output. A retry may succeed. */
const faults: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "MALFORMED_RESPONSE",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MISSING_THOUGHT_SIGNATURE",
  "NO_IMAGE",
  "IMAGE_OTHER",
]);

/** Whether an answer had text and tool calls when it ended. */
export interface OutputKinds {
  readonly text: boolean;
  readonly calls: boolean;
}

/**
 * Maps a finish reason to OpenAI's. Returns undefined if the candidate has not ended. Invalid output of the model throws
 * a ProviderError of the kind `failed` if the answer is empty; otherwise it ends the answer normally.
 */
export function toFinishReason(reason: unknown, output: OutputKinds): string | undefined {
  if (typeof reason !== "string" || reason === "" || reason === "FINISH_REASON_UNSPECIFIED") return undefined;
  if (faults.has(reason) && !output.text && !output.calls) {
    throw new ProviderError(
      "failed",
      `The model ended without an answer (${reason}). Try again, or use another target.`,
    );
  }
  const mapped = reasons.get(reason) ?? "stop";
  return mapped === "stop" && output.calls ? "tool_calls" : mapped;
}
