import { parseAmount } from "../options/decimal.ts";
import type { Price } from "../ports/model.ts";
import type { PriceList } from "../ports/model-config.ts";
import type { CacheTtl } from "../wire/edits.ts";

/** The price of a model that costs nothing. */
export const free: Price = {
  input: 0n,
  output: 0n,
  cachedInput: 0n,
  cacheWrite: 0n,
  cacheWrite1h: 0n,
  request: 0n,
  highestInput: 0n,
};

/** Returns the cache lifetimes that have a price. Cache marks with another lifetime are removed before a call. */
export function pricedTtls(list: PriceList | "free"): ReadonlySet<CacheTtl> {
  if (list === "free") return new Set(["5m", "1h"]);
  const ttls = new Set<CacheTtl>();
  if (list.cacheWrite !== undefined) ttls.add("5m");
  if (list.cacheWrite1h !== undefined) ttls.add("1h");
  return ttls;
}

/** Reads a price list that has been checked by its schema. */
export function readPrice(list: PriceList | "free"): Price {
  if (list === "free") return free;
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
    request: amountOf(list.request, 0n),
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
