import { parseAmount } from "../options/decimal.ts";
import type { Price, Rates } from "../ports/model.ts";
import type { ModelConfig, PriceList, Prices, PriceTier } from "../ports/model-config.ts";
import type { CacheTtl } from "../wire/edits.ts";

const noRates: Rates = {
  input: 0n,
  output: 0n,
  cachedInput: 0n,
  cacheWrite: 0n,
  cacheWrite1h: 0n,
  request: 0n,
  highestInput: 0n,
};

/** The price of a model that costs nothing. */
export const free: Price = { ...noRates, tiers: [], from: undefined };

/** Reads a price list that has been checked by its schema. */
export function readPrice(list: PriceList | "free"): Price {
  if (list === "free") return free;
  const request = amountOf(list.request, 0n);
  return {
    ...readRates(list, request),
    tiers: (list.tiers ?? []).map((tier) => ({
      ...readRates(tier, request),
      aboveInputTokens: tier.aboveInputTokens,
    })),
    from: list.from?.getTime(),
  };
}

function readRates(list: Omit<PriceTier, "aboveInputTokens">, request: bigint): Rates {
  const input = parseAmount(list.input);
  const cachedInput = amountOf(list.cachedInput, input);
  const cacheWrite = amountOf(list.cacheWrite, input);
  const cacheWrite1h = amountOf(list.cacheWrite1h, cacheWrite);
  return {
    input,
    output: parseAmount(list.output),
    cachedInput,
    cacheWrite,
    cacheWrite1h,
    request,
    highestInput: highest(input, cachedInput, cacheWrite, cacheWrite1h),
  };
}

function highest(first: bigint, ...others: readonly bigint[]): bigint {
  let price = first;
  for (const other of others) if (other > price) price = other;
  return price;
}

const amountOf = (text: string | undefined, absent: bigint): bigint =>
  text === undefined ? absent : parseAmount(text);

/**
 * Returns the cache lifetimes that have a price, in the list and in all tiers of it. Cache marks with another lifetime are
 * removed before a call.
 */
export function pricedTtls(list: PriceList | "free"): ReadonlySet<CacheTtl> {
  if (list === "free") return new Set(["5m", "1h"]);
  const all = [list, ...(list.tiers ?? [])];
  const ttls = new Set<CacheTtl>();
  if (all.every(({ cacheWrite }) => cacheWrite !== undefined)) ttls.add("5m");
  if (all.every(({ cacheWrite1h }) => cacheWrite1h !== undefined)) ttls.add("1h");
  return ttls;
}

/** Returns the list of some prices that applies at a time, in milliseconds since the Unix epoch. */
export function listAt(prices: Prices | "free", at: number): PriceList | "free" {
  if (!isDated(prices)) return prices;
  const [newest] = prices.filter((list) => beginOf(list) <= at).sort((a, b) => beginOf(b) - beginOf(a));
  if (newest === undefined) throw new Error("Of several price lists, one must have no `from`.");
  return newest;
}

/** Returns the times at which price lists of a model begin, ascending from minus infinity, in milliseconds since the Unix epoch. */
export function priceTimes({ price, targets }: ModelConfig): readonly number[] {
  const all = [price, ...targets.flatMap((target) => [target.price ?? [], target.cost ?? []])];
  const begins = all.flatMap((prices) => (isDated(prices) ? prices.map(beginOf) : []));
  return [...new Set([Number.NEGATIVE_INFINITY, ...begins])].sort((a, b) => a - b);
}

const isDated = (prices: Prices | "free"): prices is readonly PriceList[] => Array.isArray(prices);

const beginOf = ({ from }: PriceList): number => from?.getTime() ?? Number.NEGATIVE_INFINITY;
