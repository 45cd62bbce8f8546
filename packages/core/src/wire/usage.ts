import { isJsonObject } from "./json.ts";

/** Tokens that a request consumed. Cached tokens count inside the prompt, reasoning tokens inside the completion. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number;
    readonly cache_write_tokens?: number;
    /** Of those, the tokens that are kept for an hour. */
    readonly cache_write_1h_tokens?: number;
    readonly [key: string]: unknown;
  };
  readonly completion_tokens_details?: {
    readonly reasoning_tokens?: number;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

const largestCount = 1_000_000_000;

/** True for a count of tokens that can be believed: a whole number from 0 to 10^9. */
export const isTokenCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= largestCount;

/**
 * The usage that a provider reported, or undefined when its counts are missing or absurd. The sum is made anew,
 * unlisted members are kept, and cached counts above the prompt are dropped.
 */
export function readUsage(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion } = value;
  if (!isTokenCount(prompt) || !isTokenCount(completion)) return undefined;
  const promptDetails = readDetails(value["prompt_tokens_details"], prompt);
  const completionDetails = readDetails(value["completion_tokens_details"], completion);
  return {
    ...value,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(promptDetails && { prompt_tokens_details: promptDetails }),
    ...(completionDetails && { completion_tokens_details: completionDetails }),
  };
}

/** True for a usage of which {@link readUsage} would change nothing. */
export function isWholeUsage(value: unknown): value is Usage {
  if (!isJsonObject(value)) return false;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = value;
  if (!isTokenCount(prompt) || !isTokenCount(completion) || total !== prompt + completion) return false;
  return (
    areWholeDetails(value["prompt_tokens_details"], prompt) &&
    areWholeDetails(value["completion_tokens_details"], completion)
  );
}

function areWholeDetails(details: unknown, whole: number): boolean {
  if (details === undefined || details === null) return true;
  if (!isJsonObject(details)) return false;
  for (const name in details) {
    const count = details[name];
    if (!isTokenCount(count) || count > whole) return false;
  }
  return true;
}

function readDetails(details: unknown, whole: number): { readonly [name: string]: number } | undefined {
  if (details === undefined || details === null) return undefined;
  const kept: Record<string, number> = {};
  if (!isJsonObject(details)) return kept;
  for (const name of Object.keys(details)) {
    const count = details[name];
    if (isTokenCount(count) && count <= whole) kept[name] = count;
  }
  return kept;
}
