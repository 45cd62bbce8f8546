import type { ConditionalPrice, ModelInfo, ModelPrice, TieredPrices } from "@pydantic/genai-prices";

/** Published prices, and when they begin. Undefined: they are the first. */
export interface PricePeriod {
  readonly from: Date | undefined;
  readonly prices: ModelPrice;
}

/**
 * Returns the published prices of a model by their dates, from the first. Of prices that depend on the time of day, it takes the
 * highest, since a price list has none.
 */
export function periodsOf(published: ModelInfo["prices"]): readonly PricePeriod[] {
  if (!Array.isArray(published)) return [{ from: undefined, prices: published }];
  const dates = published.flatMap(({ constraint }) =>
    constraint?.type === "start_date" ? [new Date(constraint.start_date)] : [],
  );
  const times = [...new Set(dates.map((date) => date.getTime()))].sort((a, b) => a - b);
  return [undefined, ...times].map((time) => ({
    from: time === undefined ? undefined : new Date(time),
    prices: pricesAt(published, time ?? Number.NEGATIVE_INFINITY),
  }));
}

/** The last prices that have begun apply, unless later ones are those of some hours. */
function pricesAt(published: readonly ConditionalPrice[], time: number): ModelPrice {
  const last = published.findLastIndex((each) => beginOf(each) <= time);
  const ofHours = published.filter(({ constraint }, at) => at > last && constraint?.type === "time_of_date");
  const [first, ...others] = [...(last === -1 ? published.slice(0, 1) : published.slice(last, last + 1)), ...ofHours];
  const all = others.map(({ prices }) => prices);
  return all.reduce((most, prices) => (weightOf(prices) > weightOf(most) ? prices : most), first?.prices ?? {});
}

/** Prices of some hours never begin. */
function beginOf({ constraint }: ConditionalPrice): number {
  if (constraint === undefined) return Number.NEGATIVE_INFINITY;
  return constraint.type === "start_date" ? Date.parse(constraint.start_date) : Number.POSITIVE_INFINITY;
}

const weightOf = ({ input_mtok: input, output_mtok: output }: ModelPrice): number => baseOf(input) + baseOf(output);

const baseOf = (price: number | TieredPrices | undefined): number =>
  typeof price === "object" ? price.base : (price ?? 0);
