import * as v from "valibot";
import { formatAmount, parseAmount } from "../options/decimal.ts";
import { arrayOf, date, decimal, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import { requireArgument } from "../options/problems.ts";
import { isJsonObject, isText, type JsonObject } from "../wire/json.ts";
import type { PriceList, Prices, PriceTier } from "./model-config.ts";

const tokenPriceMembers = {
  input: decimal,
  output: decimal,
  cachedInput: v.exactOptional(decimal),
  cacheWrite: v.exactOptional(decimal),
  cacheWrite1h: v.exactOptional(decimal),
};

const tiers = v.pipe(
  arrayOf(
    "price tiers, each { aboveInputTokens, input, output }",
    optionMembers("a price tier", { aboveInputTokens: wholeNumber(), ...tokenPriceMembers }),
  ),
  v.check(
    (list) => isAscending(list),
    "are not in ascending order of `aboveInputTokens`. Give the tier with the lowest number first, and each number once",
  ),
);

const priceList = optionMembers("a price list", {
  ...tokenPriceMembers,
  request: v.exactOptional(decimal),
  tiers: v.exactOptional(tiers),
  from: v.exactOptional(date),
});

function isAscending(list: readonly Pick<PriceTier, "aboveInputTokens">[]): boolean {
  return list.every(({ aboveInputTokens }, at) => aboveInputTokens > (list[at - 1]?.aboveInputTokens ?? 0));
}

const onlyList = v.pipe(
  priceList,
  v.check(
    ({ from }) => from === undefined,
    "has a `from`, and there is no other list that applies before. Remove it, or give an array of price lists, one of them without `from`",
  ),
);

const datedLists = v.pipe(
  arrayOf("price lists", priceList),
  v.check(
    (lists) => undated(lists).length > 0,
    "has no price list without `from`. Add the one that applies before the others begin",
  ),
  v.check(
    (lists) => undated(lists).length < 2,
    "has several price lists without `from`. Leave it out of the first one only, and give each other the time at which it begins",
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const times = dataset.value.flatMap(({ from }) => (from === undefined ? [] : [from.getTime()]));
    const twice = times.find((time, at) => times.indexOf(time) < at);
    if (twice === undefined) return;
    addIssue({
      message: `has two price lists from ${new Date(twice).toISOString()}. Give each the time at which it begins`,
    });
  }),
);

const undated = (lists: readonly Pick<PriceList, "from">[]) => lists.filter(({ from }) => from === undefined);

/** The schema of a PriceList, or of several with different `from`. */
export const paidPrices = v.lazy((value) => (Array.isArray(value) ? datedLists : onlyList));

const freePrice = v.literal(
  "free",
  wanted('must be a price list, such as { input: "2.50", output: "10.00" }, or "free"'),
);

/** The schema of Prices, or of "free". */
export const priceSchema = v.lazy((value) => (typeof value === "object" && value !== null ? paidPrices : freePrice));

/** Returns a copy of prices if they are valid, and otherwise throws a RangeError that lists every problem. */
export const checkedPrices = (prices: unknown, name: string): Prices | "free" =>
  requireArgument(priceSchema, prices, name);

/** The least price of a million tokens, in nano-units, that is not taken for the price of one token. */
const leastPerMillion = parseAmount("0.0001");

/** Rejects a model with prices that are surely prices of one token, unless it has `allowTinyPrices`. */
export function plausiblePrices<Model extends object>() {
  return v.rawCheck<Model>(({ dataset, addIssue }) => {
    const model: JsonObject = isJsonObject(dataset.value) ? dataset.value : {};
    if (model["allowTinyPrices"] === true) return;
    addTiny("price", model["price"]);
    for (const [at, target] of itemsOf(model["targets"]).entries()) {
      if (!isJsonObject(target)) continue;
      addTiny(`targets[${at}].price`, target["price"]);
      addTiny(`targets[${at}].cost`, target["cost"]);
    }

    function addTiny(place: string, prices: unknown): void {
      if (Array.isArray(prices)) {
        for (const [at, list] of prices.entries()) addTiny(`${place}[${at}]`, list);
        return;
      }
      if (!isJsonObject(prices)) return;
      for (const name of Object.keys(tokenPriceMembers)) {
        const price = tinyPrice(prices[name]);
        if (price === undefined) continue;
        addIssue({
          message:
            `has a \`${place}.${name}\` of ${formatAmount(price)}, which looks like the price of one token. Prices are ` +
            `per million tokens: write "${formatAmount(1_000_000n * price)}". If it is right, set \`allowTinyPrices: true\``,
        });
      }
      for (const [at, tier] of itemsOf(prices["tiers"]).entries()) addTiny(`${place}.tiers[${at}]`, tier);
    }
  });
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a price above 0 that is too low for a million tokens. An invalid one is reported by the schema of the list. */
function tinyPrice(price: unknown): bigint | undefined {
  if (!isText(price) || !/^[0-9]{1,30}(?:\.[0-9]{1,9})?$/.test(price)) return undefined;
  const nano = parseAmount(price);
  return nano > 0n && nano < leastPerMillion ? nano : undefined;
}
