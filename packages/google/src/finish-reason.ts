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

/** The model got its own output wrong, which another try may correct. */
const faults: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "MALFORMED_RESPONSE",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MISSING_THOUGHT_SIGNATURE",
  "NO_IMAGE",
  "IMAGE_OTHER",
]);

/** What an answer had said when it ended. */
export interface Said {
  readonly text: boolean;
  readonly calls: boolean;
}

/**
 * OpenAI's name for the reason why a candidate ended, or undefined when it has not. A fault of the model that left
 * nothing to give out is thrown as `failed`; after something was said it counts as the end of it.
 */
export function toFinishReason(reason: unknown, said: Said): string | undefined {
  if (typeof reason !== "string" || reason === "" || reason === "FINISH_REASON_UNSPECIFIED") return undefined;
  if (faults.has(reason) && !said.text && !said.calls) {
    throw new ProviderError(
      "failed",
      `The model ended without an answer (${reason}). Try again, or use another target.`,
    );
  }
  const known = reasons.get(reason) ?? "stop";
  return known === "stop" && said.calls ? "tool_calls" : known;
}
