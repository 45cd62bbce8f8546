import type { ModelPrice, TieredPrices } from "@pydantic/genai-prices";
import { formatAmount, type PriceList } from "@tollgate/core";

/** The names of the prices per million tokens in a price list, and in the data. */
const tokenPrices = {
  cachedInput: "cache_read_mtok",
  cacheWrite: "cache_write_mtok",
  cacheWrite1h: "cache_write_1h_mtok",
} as const;

/** Converts published prices to a price list. Undefined: they have no price of prompt tokens. Embeddings have none of output. */
export function toPriceList(prices: ModelPrice): PriceList | undefined {
  const { input_mtok: input, requests_kcount: requests } = prices;
  if (input === undefined) return undefined;
  const used = [input, prices["output_mtok"], ...Object.values(tokenPrices).map((name) => prices[name])];
  const borders = new Set(used.flatMap((price) => (isTiered(price) ? price.tiers.map(({ start }) => start) : [])));
  const tiers = [...borders]
    .sort((a, b) => a - b)
    .map((start) => ({ aboveInputTokens: start, ...ratesAt(prices, start) }));
  return {
    ...ratesAt(prices, -1),
    ...(typeof requests === "number" ? { request: perThousand(requests) } : {}),
    ...(tiers.length === 0 ? {} : { tiers }),
  };
}

/** Returns the prices of requests with more prompt tokens than `border`. */
function ratesAt(prices: ModelPrice, border: number) {
  const at = (name: string): string | undefined => {
    const price = prices[name];
    if (!isTiered(price)) return price === undefined ? undefined : perMillion(price);
    return perMillion(price.tiers.findLast(({ start }) => start <= border)?.price ?? price.base);
  };
  const optional = Object.entries(tokenPrices).flatMap(([name, published]) => {
    const price = at(published);
    return price === undefined ? [] : [[name, price] as const];
  });
  return { input: at("input_mtok") ?? "0", output: at("output_mtok") ?? "0", ...Object.fromEntries(optional) };
}

const isTiered = (price: number | TieredPrices | undefined): price is TieredPrices => typeof price === "object";

/**
 * Returns the decimal that a number of the data was written as, with at most nine decimals. No other decimal of nine is as near
 * to the number as that one, up to 4,000,000.
 */
export const perMillion = (price: number): string => formatAmount(BigInt(Math.round(price * 1e9)));

/** Returns the price of one request. */
const perThousand = (price: number): string => formatAmount(BigInt(Math.round(price * 1e6)));
