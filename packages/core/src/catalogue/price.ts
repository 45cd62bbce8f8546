import { parseAmount } from "../options/decimal.ts";
import type { Price } from "../ports/model.ts";
import type { PriceList } from "../ports/model-config.ts";
import type { CacheTtl } from "../wire/forwarding/level.ts";

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

/** Reads a host's price list. Throws a RangeError that names a member that is not a decimal number of at least 0. */
export function readPrice(list: PriceList | "free"): Price {
  if (list === "free") return free;
  const input = readMember(list, "input", 0n);
  const cachedInput = readMember(list, "cachedInput", input);
  const cacheWrite = readMember(list, "cacheWrite", input);
  const cacheWrite1h = readMember(list, "cacheWrite1h", cacheWrite);
  return {
    input,
    output: readMember(list, "output", 0n),
    cachedInput,
    cacheWrite,
    cacheWrite1h,
    request: readMember(list, "request", 0n),
    highestInput: highest(input, cachedInput, cacheWrite, cacheWrite1h),
  };
}

function highest(first: bigint, ...others: readonly bigint[]): bigint {
  let price = first;
  for (const other of others) if (other > price) price = other;
  return price;
}

function readMember(list: PriceList, name: keyof PriceList, absent: bigint): bigint {
  const text: unknown = list[name];
  if (text === undefined && name !== "input" && name !== "output") return absent;
  if (typeof text !== "string") throw new RangeError(`price.${name} must be a decimal string, such as "2.50".`);
  if (text.startsWith("-")) throw new RangeError(`price.${name} is ${text}. Give a price of 0 or more.`);
  try {
    return parseAmount(text);
  } catch (cause) {
    throw new RangeError(`price.${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
