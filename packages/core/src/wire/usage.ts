import { isJsonObject, type JsonObject } from "./json.ts";

/** The tokens that a request consumed. Prompt tokens include cached tokens, and completion tokens include reasoning tokens. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number;
    readonly cache_write_tokens?: number;
    /** The part of them that is cached for an hour. */
    readonly cache_write_1h_tokens?: number;
    readonly [key: string]: unknown;
  };
  readonly completion_tokens_details?: {
    readonly reasoning_tokens?: number;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

/**
 * Tokens by class. `input` contains `cachedInput`, `cacheWrite5m` and `cacheWrite1h`; `output` contains `reasoning`.
 * Whole numbers.
 */
export interface TokenCounts {
  /** All prompt tokens. */
  readonly input: number;
  /** Prompt tokens that were read from a cache. */
  readonly cachedInput: number;
  /** Prompt tokens written to a cache for five minutes. */
  readonly cacheWrite5m: number;
  /** Prompt tokens written to a cache for one hour. */
  readonly cacheWrite1h: number;
  /** All completion tokens. */
  readonly output: number;
  /** Completion tokens of reasoning. */
  readonly reasoning: number;
}

/**
 * Returns the tokens of a usage by class, as `chargeAmount` prices them: cached tokens come before written ones, and
 * details that exceed their whole are reduced to it.
 */
export function countByClass(usage: Usage): TokenCounts {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage;
  const cachedInput = Math.min(details?.cached_tokens ?? 0, input);
  const written = Math.min(details?.cache_write_tokens ?? 0, input - cachedInput);
  const cacheWrite1h = Math.min(details?.cache_write_1h_tokens ?? 0, written);
  const reasoning = Math.min(usage.completion_tokens_details?.reasoning_tokens ?? 0, output);
  return { input, cachedInput, cacheWrite5m: written - cacheWrite1h, cacheWrite1h, output, reasoning };
}

const largestCount = 1_000_000_000;

/** True for a plausible token count: an integer from 0 to 10^9. */
export const isTokenCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= largestCount;

/** Returns a plausible token count, also one that is written as a text of digits. Undefined for anything else. */
export function tokenCountOf(value: unknown): number | undefined {
  const count = typeof value === "string" && digits.test(value) ? Number(value) : value;
  return isTokenCount(count) ? count : undefined;
}

const digits = /^\d{1,10}$/;

/** A usage with one count missing. The other count is a lower bound for the charge. */
export interface PartialUsage {
  readonly prompt_tokens: number | undefined;
  readonly completion_tokens: number | undefined;
  /** The counts as they were told, if they cannot be true. Both counts are then undefined. */
  readonly told?: Usage;
}

/** Returns the valid count of a usage for which {@link readUsage} returns undefined. */
export function readPartialUsage(value: unknown): PartialUsage | undefined {
  if (!isJsonObject(value)) return undefined;
  const prompt = tokenCountOf(value["prompt_tokens"]);
  if (prompt !== undefined) return { prompt_tokens: prompt, completion_tokens: undefined };
  const completion = tokenCountOf(value["completion_tokens"]);
  return completion === undefined ? undefined : { prompt_tokens: undefined, completion_tokens: completion };
}

/**
 * Normalizes the usage that a provider reported, or returns undefined if a count is missing or invalid. Counts that the
 * provider reports outside of the prompt or completion are added to it, and the total is computed again. Unlisted members
 * are kept, and details greater than their total are dropped.
 */
export function readUsage(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined;
  const reportedPrompt = tokenCountOf(value["prompt_tokens"]);
  const reportedCompletion = tokenCountOf(value["completion_tokens"]);
  if (reportedPrompt === undefined || reportedCompletion === undefined) return undefined;
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

/** True for a usage with both counts. */
export const isComplete = (usage: Usage | PartialUsage | undefined): usage is Usage =>
  usage?.prompt_tokens !== undefined && usage.completion_tokens !== undefined;

/** True for a usage that {@link readUsage} would not change. */
export function isNormalizedUsage(value: unknown): value is Usage {
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
 * Returns the excess of the reported total over the sum, if details explain it: xAI reports reasoning tokens in addition
 * to the completion, and Anthropic proxies report cached tokens in addition to the prompt. Other totals have been wrong.
 */
function countsBeside(usage: JsonObject, sum: number): { readonly prompt: number; readonly completion: number } {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage;
  const surplus = (tokenCountOf(usage["total_tokens"]) ?? 0) - sum;
  if (surplus <= 0) return nothingBeside;
  const reasoning = countIn(completion, "reasoning_tokens");
  if (surplus === reasoning) return { prompt: 0, completion: reasoning };
  const cached = countIn(prompt, "cached_tokens") + countIn(prompt, "cache_write_tokens");
  if (surplus === cached) return { prompt: cached, completion: 0 };
  return surplus === cached + reasoning ? { prompt: cached, completion: reasoning } : nothingBeside;
}

const nothingBeside = { prompt: 0, completion: 0 };

function countIn(details: unknown, name: string): number {
  return (isJsonObject(details) ? tokenCountOf(details[name]) : undefined) ?? 0;
}

function readDetails(details: unknown, whole: number): { readonly [name: string]: number } | undefined {
  if (details === undefined || details === null) return undefined;
  const kept: Record<string, number> = {};
  if (!isJsonObject(details)) return kept;
  for (const name of Object.keys(details)) {
    const count = tokenCountOf(details[name]);
    if (count !== undefined && count <= whole) kept[name] = count;
  }
  return kept;
}

/** A usage, which may lack a count, and the bytes of output that had arrived before it. */
export interface ReportedUsage {
  readonly usage: Usage | PartialUsage;
  readonly outputBytes: number;
}

/**
 * Returns a usage that cannot be true, because it has more than 10^9 tokens of a kind. No count of it is charged. Undefined for
 * any other, also for an invalid one.
 */
export function readImpossibleUsage(value: unknown): PartialUsage | undefined {
  if (!isJsonObject(value)) return undefined;
  const prompt = countOf(value["prompt_tokens"]);
  const completion = countOf(value["completion_tokens"]);
  if (isTokenCount(prompt) && isTokenCount(completion)) return undefined;
  const told = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return { prompt_tokens: undefined, completion_tokens: undefined, told };
}

/** Returns what a reported usage tells: both counts, counts that cannot be true, or one count. Undefined if it tells nothing. */
export const readAnyUsage = (value: unknown): Usage | PartialUsage | undefined =>
  readUsage(value) ?? readImpossibleUsage(value) ?? readPartialUsage(value);

/** Returns the counts of a usage that cannot be true, and undefined for any other usage. */
export const toldIn = (usage: Usage | PartialUsage | undefined): Usage | undefined =>
  usage === undefined || isComplete(usage) ? undefined : usage.told;

/** A missing or invalid count is none. Some providers write counts as text. */
function countOf(value: unknown): number {
  const count = typeof value === "string" && /^\d{1,20}$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isInteger(count) && count >= 0 ? count : 0;
}

/** Adds the usage of two calls, including the counts in the details. */
export function sumUsage(a: Usage | undefined, b: Usage | undefined): Usage {
  return { ...nothing, ...addCounts(a ?? {}, b ?? {}) };
}

const nothing: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

function addCounts(a: JsonObject, b: JsonObject): JsonObject {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, add(a[name], b[name])]));
}

function add(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (isJsonObject(a) && isJsonObject(b)) return addCounts(a, b);
  return b ?? a;
}
