import { isJsonObject, type JsonObject } from "./json.ts";

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

/** A usage of which one count is missing: the other is the least that a request is charged. */
export interface PartialUsage {
  readonly prompt_tokens: number | undefined;
  readonly completion_tokens: number | undefined;
}

/** What is left of a usage of which {@link readUsage} returns undefined: the count that can be used. */
export function readPartialUsage(value: unknown): PartialUsage | undefined {
  if (!isJsonObject(value)) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion } = value;
  if (isTokenCount(prompt)) return { prompt_tokens: prompt, completion_tokens: undefined };
  return isTokenCount(completion) ? { prompt_tokens: undefined, completion_tokens: completion } : undefined;
}

/**
 * The usage that a provider reported, or undefined when a count is missing or absurd. Counts that the provider has
 * beside the prompt or the completion are put inside, the sum is made anew, unlisted members are kept, and details
 * above their whole are dropped.
 */
export function readUsage(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined;
  const { prompt_tokens: reportedPrompt, completion_tokens: reportedCompletion } = value;
  if (!isTokenCount(reportedPrompt) || !isTokenCount(reportedCompletion)) return undefined;
  const beside = countsBeside(value, reportedPrompt + reportedCompletion);
  const prompt = reportedPrompt + beside.prompt;
  const completion = reportedCompletion + beside.completion;
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

/**
 * What the reported total has above the sum, where details explain it: xAI counts reasoning tokens beside the completion,
 * and proxies of Anthropic count cached tokens beside the prompt. Totals that nothing explains have been wrong.
 */
function countsBeside(usage: JsonObject, sum: number): { readonly prompt: number; readonly completion: number } {
  const { total_tokens: total, prompt_tokens_details: prompt, completion_tokens_details: completion } = usage;
  const surplus = isTokenCount(total) ? total - sum : 0;
  if (surplus <= 0) return nothingBeside;
  const reasoning = countIn(completion, "reasoning_tokens");
  if (surplus === reasoning) return { prompt: 0, completion: reasoning };
  const cached = countIn(prompt, "cached_tokens") + countIn(prompt, "cache_write_tokens");
  if (surplus === cached) return { prompt: cached, completion: 0 };
  return surplus === cached + reasoning ? { prompt: cached, completion: reasoning } : nothingBeside;
}

const nothingBeside = { prompt: 0, completion: 0 };

function countIn(details: unknown, name: string): number {
  const count = isJsonObject(details) ? details[name] : undefined;
  return isTokenCount(count) ? count : 0;
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

/** A usage, of which a count may be missing, and how many bytes of output had come by then. */
export interface ReportedUsage {
  readonly usage: Usage | PartialUsage;
  readonly outputBytes: number;
}
