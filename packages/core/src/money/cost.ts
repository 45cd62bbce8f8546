import type { Model, ModelTarget, Price, Rates, TierRates } from "../ports/model.ts";
import type { ChargeReceipt, UnitPrices } from "../ports/receipt.ts";
import { toStorableText } from "../wire/bytes.ts";
import type { ChatParameters } from "../wire/chat-completion-request.ts";
import type { ContentPart } from "../wire/media.ts";
import { bytesPerToken } from "../wire/output-text.ts";
import type { Prompt } from "../wire/prompt.ts";
import { countByClass, type TokenCounts, type Usage } from "../wire/usage.ts";

const million = 1_000_000n;
const half = 500_000n;
const almostMillion = 999_999n;

/** Returns the tier of a request with this many prompt tokens. Undefined: the prices of the list itself apply. */
export function tierOf({ tiers }: Price, promptTokens: number): TierRates | undefined {
  for (let at = tiers.length - 1; at >= 0; at -= 1) {
    const tier = tiers[at];
    if (tier !== undefined && promptTokens > tier.aboveInputTokens) return tier;
  }
  return undefined;
}

/**
 * Returns the amount to hold for a request, in nano-units, rounded up once: that of the dearest tier which its prompt can
 * reach. Every prompt token counts at the highest price of a prompt token. The bounds are whole counts of tokens.
 */
export function holdAmount(price: Price, promptBound: number, outputBound: number): bigint {
  let most = amountAt(price, promptBound, outputBound);
  for (const tier of price.tiers) {
    if (promptBound <= tier.aboveInputTokens) break;
    const amount = amountAt(tier, promptBound, outputBound);
    if (amount > most) most = amount;
  }
  return most;
}

const amountAt = (rates: Rates, promptBound: number, outputBound: number): bigint =>
  ceiling(BigInt(promptBound) * rates.highestInput + BigInt(outputBound) * rates.output) + rates.request;

/** Returns the amount to hold when any of several prices may apply: the highest {@link holdAmount}. */
export function worstCaseCost(prices: readonly Price[], promptBound: number, outputBound: number): bigint {
  let most = 0n;
  for (const price of prices) {
    const amount = holdAmount(price, promptBound, outputBound);
    if (amount > most) most = amount;
  }
  return most;
}

/**
 * Returns the cost of a request, in nano-units, rounded once, half up. The usage is one that `readUsage` returned: its
 * cached and cache-writing tokens are part of the prompt tokens, which decide the tier of the whole request. For a usage
 * within the bounds of the hold, the cost is never more than the hold.
 */
export const chargeAmount = (price: Price, usage: Usage): bigint => tokensAmount(price, countByClass(usage));

/** Returns the cost of tokens by class, as {@link chargeAmount} does. */
export function tokensAmount(price: Price, tokens: TokenCounts): bigint {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output } = tokens;
  const rates = tierOf(price, input) ?? price;
  const fresh = input - cachedInput - cacheWrite5m - cacheWrite1h;
  let raw = BigInt(fresh) * rates.input + BigInt(output) * rates.output;
  if (cachedInput > 0) raw += BigInt(cachedInput) * rates.cachedInput;
  if (cacheWrite5m > 0) raw += BigInt(cacheWrite5m) * rates.cacheWrite;
  if (cacheWrite1h > 0) raw += BigInt(cacheWrite1h) * rates.cacheWrite1h;
  return (raw + half) / million + rates.request;
}

/** Returns the usage with all cache writes counted as one-hour writes, unless it reports how many were. */
export function withHourWrites(usage: Usage): Usage {
  const details = usage.prompt_tokens_details;
  const written = details?.cache_write_tokens;
  if (written === undefined || details?.cache_write_1h_tokens !== undefined) return usage;
  return { ...usage, prompt_tokens_details: { ...details, cache_write_1h_tokens: written } };
}

/**
 * Returns the most output tokens for which {@link holdAmount} stays within `available` nano-units: 0 when the prompt
 * alone costs more, and 2^53 - 1 when output is free.
 */
export function affordableOutput(price: Price, available: bigint, promptBound: number): number {
  let least = outputAt(price, available, promptBound);
  for (const tier of price.tiers) {
    if (promptBound > tier.aboveInputTokens) least = Math.min(least, outputAt(tier, available, promptBound));
  }
  return least;
}

function outputAt(rates: Rates, available: bigint, promptBound: number): number {
  const left = (available - rates.request) * million - BigInt(promptBound) * rates.highestInput;
  if (left < 0n) return 0;
  if (rates.output === 0n) return Number.MAX_SAFE_INTEGER;
  const tokens = left / rates.output;
  return tokens < BigInt(Number.MAX_SAFE_INTEGER) ? Number(tokens) : Number.MAX_SAFE_INTEGER;
}

/** Returns the most output tokens that `available` covers at each of the prices. */
export function affordableOutputAtAll(prices: readonly Price[], available: bigint, promptBound: number): number {
  return prices.reduce(
    (least, price) => Math.min(least, affordableOutput(price, available, promptBound)),
    Number.MAX_SAFE_INTEGER,
  );
}

function ceiling(raw: bigint): bigint {
  return (raw + almostMillion) / million;
}

const tolerance = 10;

/** The amount and the tokens that were reserved for a request. */
export interface Bound {
  /** The hold in nano-units; on a plan without billing, the amount that it would have been. */
  readonly amount: bigint;
  /** Prompt and output together. */
  readonly tokens: number;
}

/** The charge of a request. */
export interface Charge {
  readonly usage: Usage;
  /** Nano-units. */
  readonly cost: bigint;
  /** The tier whose prices were charged. Undefined: those of the list itself. */
  readonly tier: TierRates | undefined;
  /** The usage that the provider reported, if it was cut. */
  readonly cutFrom: Usage | undefined;
}

/**
 * Charges the usage that a provider reported, at most ten times the hold. A higher cost is cut to that, and the counts
 * in the same proportion. A request of a free model holds nothing, so its counts are cut at ten times its tokens.
 */
export function chargeUsage(price: Price, usage: Usage, bound: Bound): Charge {
  const cost = chargeAmount(price, usage);
  const tier = tierOf(price, usage.prompt_tokens);
  if (!isAbove(tolerance, cost, usage, bound)) return { usage, cost, tier, cutFrom: undefined };
  const most = BigInt(tolerance) * bound.amount;
  if (most > 0n) return { usage: cut(usage, most, cost), cost: most, tier, cutFrom: usage };
  const tokens = BigInt(tolerance * bound.tokens);
  return { usage: cut(usage, tokens, BigInt(usage.total_tokens)), cost, tier, cutFrom: usage };
}

/** A charge to explain. `startedAt` is in milliseconds since the Unix epoch. */
export interface Charged {
  readonly target: Pick<ModelTarget, "provider" | "upstreamModel" | "price">;
  readonly tier: TierRates | undefined;
  readonly usage: Usage;
  readonly basis: ChargeReceipt["basis"];
  readonly startedAt: number;
  readonly status: string;
  /** Absent without an answer. */
  readonly answerId?: string | undefined;
}

/** Returns the receipt of a charge that is made now, by the prices of its target. Every receipt has the same members, which V8 handles best. */
export function chargeReceipt({ target, tier, usage, basis, startedAt, status, answerId }: Charged): ChargeReceipt {
  return {
    provider: target.provider.name,
    upstreamModel: target.upstreamModel,
    tokens: countByClass(usage),
    basis,
    prices: unitPrices(tier ?? target.price),
    tier: tier?.aboveInputTokens,
    // The clock of the host can be set back.
    durationMs: Math.max(0, Date.now() - startedAt),
    status,
    answerId,
  };
}

const plainId = /^[\w.:-]{1,128}$/;

/** Returns the id of an answer, which an upstream may have chosen, as a text that databases can store: at most 128 characters. */
export const storableId = (id: string | undefined): string | undefined =>
  id === undefined || plainId.test(id) ? id : toStorableText(id.slice(0, 128));

/** The usage of a request that consumed nothing. */
export const noUsage: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/** Of each price list and tier, since a ledger keeps a receipt of every charge. */
const knownUnitPrices = new WeakMap<Rates, UnitPrices>();

/** Returns the prices of a price list or a tier for a receipt or a report. */
export function unitPrices(rates: Rates): UnitPrices {
  const known = knownUnitPrices.get(rates);
  if (known !== undefined) return known;
  const { input, cachedInput, cacheWrite, cacheWrite1h, output, request } = rates;
  const prices = Object.freeze({ input, cachedInput, cacheWrite5m: cacheWrite, cacheWrite1h, output, request });
  knownUnitPrices.set(rates, prices);
  return prices;
}

/** Returns true for a usage above a multiple of what was reserved. */
export const exceeds = (times: number, price: Price, usage: Usage, bound: Bound): boolean =>
  isAbove(times, chargeAmount(price, usage), usage, bound);

function isAbove(times: number, cost: bigint, usage: Usage, { amount, tokens }: Bound): boolean {
  return amount > 0n ? cost > BigInt(times) * amount : usage.total_tokens > times * tokens;
}

/** Multiplies the counts by `part` / `whole`, and drops the details, which would no longer add up. */
function cut({ prompt_tokens, completion_tokens }: Usage, part: bigint, whole: bigint): Usage {
  const prompt = Number((BigInt(prompt_tokens) * part) / whole);
  const completion = Number((BigInt(completion_tokens) * part) / whole);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** The most tokens that a template adds to each message. */
export const tokensPerMessage = 8;
/** The most tokens that a template adds to a request. */
export const tokensPerRequest = 32;

/**
 * The assumed maximum length of a token. The longest in the published vocabularies (cl100k_base and o200k_base,
 * https://github.com/openai/tiktoken) is a run of 128 spaces.
 */
export const longestTokenBytes = 128;

/**
 * Returns the upper bound of a prompt's tokens: half its bytes, 8 per message, the model's tokens for each image, and
 * 32; at most the context window. `bodyBytes` is the length of the request's JSON in UTF-8, which is never less than
 * its text. The URLs of images do not count as text. Content of unknown size counts as the whole window, however much there
 * is, or as 200,000 tokens where the model has no window. Inputs of embeddings have a bound of their own.
 */
export function promptBound(
  prompt: Prompt,
  bodyBytes: number,
  model: Pick<Model, "contextWindow" | "imageTokens" | "unknownPartTokens">,
): number {
  const { messageCount, images, unknown, inputs } = prompt;
  const { contextWindow: window, imageTokens, unknownPartTokens } = model;
  if (inputs !== undefined) return inputs.bound(window);
  if (unknown.count > 0 && window !== undefined) return window;
  const parts = unknown.count > 0 ? unknownPartTokens : 0;
  const text = Math.ceil(Math.max(0, bodyBytes - images.addressLength - unknown.textLength) / 2);
  const messages = tokensPerMessage * messageCount;
  return Math.min(
    window ?? Number.POSITIVE_INFINITY,
    text + messages + images.count * imageTokens + parts + tokensPerRequest,
  );
}

/** The upper bound of a request's output, in tokens. */
export interface OutputBound {
  /** The number of choices that the client requests. */
  readonly choices: number;
  /** The cap of one choice. */
  readonly perChoice: number;
  /** All choices together, which the hold covers. */
  readonly total: number;
  /** True if the client set a cap, and if there is no output. */
  readonly capped: boolean;
  /** True if the client set a cap above the model's maximum. */
  readonly isLowered: boolean;
}

/** Returns the bound on the output: n times the lowest of max_completion_tokens, max_tokens and the model's maximum. */
export function outputBound(request: ChatParameters, model: Pick<Model, "maxOutputTokens">): OutputBound {
  const most = model.maxOutputTokens;
  const cap = Math.min(request.max_completion_tokens ?? Infinity, request.max_tokens ?? Infinity);
  const perChoice = Math.min(cap, most);
  const choices = request.n ?? 1;
  const isGiven = cap < Infinity;
  return {
    choices,
    perChoice,
    total: choices * perChoice,
    capped: most === 0 || isGiven,
    isLowered: isGiven && cap > most,
  };
}

/**
 * Returns true only for a prompt that no tokenizer can fit into the window: the text of its messages has too many tokens
 * even if each has the maximum length. It counts UTF-16 units, which are never more than the bytes.
 */
export function exceedsContextWindow(prompt: Prompt, bodyBytes: number, contextWindow: number): boolean {
  const most = contextWindow * longestTokenBytes;
  // Almost every request ends here, since the text of its messages is shorter than its body.
  if (bodyBytes <= most) return false;
  let units = 0;
  for (const { content } of prompt.messages) {
    if (typeof content === "string") units += content.length;
    else for (const part of content ?? []) units += textLength(part);
  }
  return units > most;
}

/** Estimates the tokens of a text from its UTF-8 bytes. */
export const estimateTokens = (bytes: number): number => Math.ceil(bytes / bytesPerToken);

function textLength(part: ContentPart): number {
  return part["type"] === "text" && typeof part["text"] === "string" ? part["text"].length : 0;
}
