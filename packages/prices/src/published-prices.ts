import { calcPrice, findProvider, type ModelInfo } from "@pydantic/genai-prices";
import type { PriceList, Prices } from "@tollgate/core";
import { nearest } from "@tollgate/core/internal";
import { type PricePeriod, periodsOf } from "./price-periods.ts";
import { toPriceList } from "./to-price-list.ts";

/** The date of the data: that of its package. */
export const priceDate = "2026-09-23";

/**
 * Returns the published prices of a model at a provider, in US dollars, as they are at a time. Names are those of the provider,
 * such as "anthropic" and "claude-sonnet-4-5". Throws a RangeError for a model without published prices per token, which names
 * the nearest one: a price list is configuration, and a model that is not priced must not start unnoticed.
 *
 * @example
 * const target = { provider: claude, model: "claude-sonnet-4-5", cost: priceOf("anthropic", "claude-sonnet-4-5") };
 */
export function priceOf(provider: string, model: string, at: Date = new Date()): PriceList {
  const begun = knownPeriods(provider, model).filter(({ from }) => from === undefined || from <= at);
  return toPriceList(begun.at(-1)?.prices ?? {}) ?? refuseUnpriced(provider, model);
}

/**
 * Returns the published prices of a model with every change whose date is known, also in the future, so that all processes
 * change at the same time. Throws as {@link priceOf} does.
 */
export function pricesOf(provider: string, model: string): Prices {
  const lists = knownPeriods(provider, model).map(({ prices, from }): PriceList => {
    const list = toPriceList(prices) ?? refuseUnpriced(provider, model);
    return from === undefined ? list : { ...list, from };
  });
  const [only, ...others] = lists;
  return only === undefined || others.length > 0 ? lists : only;
}

/** Returns the prices of a model by their dates, from the first. */
function knownPeriods(provider: string, model: string): readonly PricePeriod[] {
  const known = findProvider({ providerId: provider });
  if (known === undefined) {
    throw new RangeError(
      `No prices of the provider "${provider}" are known. Name it as @pydantic/genai-prices does, such as "openai", "anthropic", "google" or "azure".`,
    );
  }
  // Its result for no tokens has what it found. The package has no other look-up of a model.
  const found: ModelInfo | undefined = calcPrice({}, model, { providerId: known.id })?.model;
  if (found !== undefined) return periodsOf(found.prices);
  const near = nearest(
    model,
    known.models.map(({ id }) => id),
  );
  const advice = near === undefined ? "Give its price list yourself." : `Did you mean "${near}"?`;
  throw new RangeError(`No price of the model "${model}" of "${provider}" is known. ${advice}`);
}

function refuseUnpriced(provider: string, model: string): never {
  throw new RangeError(
    `The model "${model}" of "${provider}" has no published price per token. Give its price list yourself, or "free".`,
  );
}
