import { isJsonObject, type JsonObject } from "./json.ts";
import { countByClass, tokenCountOf, type Usage } from "./usage.ts";

/**
 * Maps the usage of Anthropic's Messages API to a completion's. Returns undefined if the input or output tokens are
 * missing. The API counts tokens read from and written to the cache separately from `input_tokens`; `prompt_tokens`
 * includes them.
 * Follows https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance
 */
export function fromMessagesUsage(reported: JsonObject): Usage | undefined {
  const { output_tokens_details: details } = reported;
  const input = numberOf(reported["input_tokens"]);
  const output = numberOf(reported["output_tokens"]);
  if (input === undefined || output === undefined) return undefined;
  const cached = countOf(reported["cache_read_input_tokens"]);
  const written = countOf(reported["cache_creation_input_tokens"]);
  const creation = reported["cache_creation"];
  const writtenForHour = isJsonObject(creation) ? numberOf(creation["ephemeral_1h_input_tokens"]) : undefined;
  const thought = isJsonObject(details) ? numberOf(details["thinking_tokens"]) : undefined;
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
export function laterMessagesUsage(known: JsonObject, later: unknown): JsonObject {
  if (!isJsonObject(later)) return known;
  return { ...known, ...Object.fromEntries(Object.entries(later).filter(([, count]) => count !== null)) };
}

/** Maps a usage to that of the Messages API, in which `input_tokens` leaves out what was read from or written to a cache. */
export function toMessagesUsage(usage: Usage) {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output } = countByClass(usage);
  return {
    input_tokens: input - cachedInput - cacheWrite5m - cacheWrite1h,
    cache_creation_input_tokens: cacheWrite5m + cacheWrite1h,
    cache_read_input_tokens: cachedInput,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: cacheWrite1h },
    output_tokens: output,
  };
}

/** A negative count must not lower the sum. The gateway checks the other counts. */
const isCount = (value: unknown): value is number => typeof value === "number" && value >= 0;
const countOf = (value: unknown): number => {
  const count = numberOf(value);
  return isCount(count) ? count : 0;
};

/** A number, also one that is written as a text of digits. */
const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : tokenCountOf(value));
