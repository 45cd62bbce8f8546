import type { JsonObject, Usage } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";

/**
 * Maps the API's usage to a completion's. Returns undefined if the input or output tokens are missing. The API counts
 * tokens read from and written to the cache separately from `input_tokens`; `prompt_tokens` includes them.
 * Follows https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance
 */
export function toUsage(reported: JsonObject): Usage | undefined {
  const { input_tokens: input, output_tokens: output, output_tokens_details: details } = reported;
  if (typeof input !== "number" || typeof output !== "number") return undefined;
  const cached = countOf(reported["cache_read_input_tokens"]);
  const written = countOf(reported["cache_creation_input_tokens"]);
  const creation = reported["cache_creation"];
  const writtenForHour = isJsonObject(creation) ? creation["ephemeral_1h_input_tokens"] : undefined;
  const thought = isJsonObject(details) ? details["thinking_tokens"] : undefined;
  const prompt = input + cached + written;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: cached,
      cache_write_tokens: written,
      ...(written > 0 && isCount(writtenForHour) ? { cache_write_1h_tokens: writtenForHour } : {}),
    },
    ...(isCount(thought) ? { completion_tokens_details: { reasoning_tokens: thought } } : {}),
  };
}

/** Merges later counts into earlier ones. Counts are cumulative, and null means that a count is not reported. */
export function laterUsage(known: JsonObject, later: unknown): JsonObject {
  if (!isJsonObject(later)) return known;
  return { ...known, ...Object.fromEntries(Object.entries(later).filter(([, count]) => count !== null)) };
}

/** A negative count must not lower the sum. The gateway checks the other counts. */
const isCount = (value: unknown): value is number => typeof value === "number" && value >= 0;
const countOf = (value: unknown): number => (isCount(value) ? value : 0);
