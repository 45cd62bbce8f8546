import * as v from "valibot";
import { formatAmount, parseAmount } from "../options/decimal.ts";
import { isJsonObject, isText, type JsonObject } from "../wire/json.ts";

/** The least price of a million tokens, in nano-units, that is not taken for the price of one token. */
const leastPerMillion = parseAmount("0.0001");

/** The prices of tokens. That of a request may be as low as any. */
const tokenPrices = ["input", "output", "cachedInput", "cacheWrite", "cacheWrite1h"];

/** Rejects a model with prices that are surely prices of one token, unless it has `allowTinyPrices`. */
export function plausiblePrices<Model extends object>() {
  return v.rawCheck<Model>(({ dataset, addIssue }) => {
    const model: JsonObject = isJsonObject(dataset.value) ? dataset.value : {};
    if (model["allowTinyPrices"] === true) return;
    const targets: readonly unknown[] = Array.isArray(model["targets"]) ? model["targets"] : [];
    addTiny("price", model["price"]);
    for (const [at, target] of targets.entries()) {
      if (!isJsonObject(target)) continue;
      addTiny(`targets[${at}].price`, target["price"]);
      addTiny(`targets[${at}].cost`, target["cost"]);
    }

    function addTiny(place: string, list: unknown): void {
      if (!isJsonObject(list)) return;
      for (const name of tokenPrices) {
        const price = tinyPrice(list[name]);
        if (price === undefined) continue;
        addIssue({
          message:
            `has a \`${place}.${name}\` of ${formatAmount(price)}, which looks like the price of one token. Prices are ` +
            `per million tokens: write "${formatAmount(1_000_000n * price)}". If it is right, set \`allowTinyPrices: true\``,
        });
      }
    }
  });
}

/** Returns a price above 0 that is too low for a million tokens. An invalid one is reported by the schema of the list. */
function tinyPrice(price: unknown): bigint | undefined {
  if (!isText(price) || !/^[0-9]{1,30}(?:\.[0-9]{1,9})?$/.test(price)) return undefined;
  const nano = parseAmount(price);
  return nano > 0n && nano < leastPerMillion ? nano : undefined;
}
