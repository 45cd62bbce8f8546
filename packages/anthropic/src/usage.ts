import type { JsonObject, Usage } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";

/**
 * Usage in the router's form, from the counts of the API; undefined when one that must be there is missing. The API
 * counts tokens read from the cache and written to it beside `input_tokens`; here they are inside `prompt_tokens`.
 * Follows https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance
 */
export function toUsage(reported: JsonObject): Usage | undefined {
  const { input_tokens: input, output_tokens: output, output_tokens_details: details } = reported;
  if (typeof input !== "number" || typeof output !== "number") return undefined;
  const cached = countOf(reported["cache_read_input_tokens"]);
  const written = countOf(reported["cache_creation_input_tokens"]);
  const creation = reported["cache_creation"];
  const forHour = isJsonObject(creation) ? creation["ephemeral_1h_input_tokens"] : undefined;
  const thought = isJsonObject(details) ? details["thinking_tokens"] : undefined;
  const prompt = input + cached + written;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: cached,
      cache_write_tokens: written,
      ...(written > 0 && isCount(forHour) ? { cache_write_1h_tokens: forHour } : {}),
    },
    ...(isCount(thought) ? { completion_tokens_details: { reasoning_tokens: thought } } : {}),
  };
}

/** Counts reported so far with later ones over them: they are cumulative, and null says nothing. */
export function laterUsage(known: JsonObject, later: unknown): JsonObject {
  if (!isJsonObject(later)) return known;
  return { ...known, ...Object.fromEntries(Object.entries(later).filter(([, count]) => count !== null)) };
}

/** A negative count of one kind must not lower the sum; the gateway checks the others. */
const isCount = (value: unknown): value is number => typeof value === "number" && value >= 0;
const countOf = (value: unknown): number => (isCount(value) ? value : 0);
