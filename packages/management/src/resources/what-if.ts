import { formatAmount, type PriceList, type Prices } from "@tollgate/core";
import { listAt, nextTurn, readPrice, tokensAmount, wanted } from "@tollgate/core/internal";
import type { UsagePosition, UsageRow } from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore, usagePatienceMs } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { amountText, timeText } from "../schemas/answers.ts";
import { members, text, time, wholeNumber } from "../schemas/values.ts";
import { daysOf, invalid, type Period, periodOf } from "./usage.ts";

const priceMessage = 'must be a price per million tokens as a decimal string with at most 9 decimals, such as "2.50"';

const price = v.pipe(v.string(wanted(priceMessage)), v.regex(/^\d{1,9}(?:\.\d{1,9})?$/, wanted(priceMessage)));

/** The names that the prices have in answers. */
const rateMembers = {
  input: price,
  output: price,
  cached_input: v.exactOptional(price),
  cache_write_5m: v.exactOptional(price),
  cache_write_1h: v.exactOptional(price),
};

const tier = members("a price tier", { above_input_tokens: wholeNumber(1), ...rateMembers });

/** A price list in a body, read as a {@link PriceList}. */
const priceList = v.pipe(
  members("a price list", {
    ...rateMembers,
    request: v.exactOptional(price),
    tiers: v.exactOptional(v.array(tier, wanted("must be an array of price tiers"))),
  }),
  v.transform(
    ({ request, tiers = [], ...rates }): PriceList => ({
      ...toRates(rates),
      ...(request === undefined ? {} : { request }),
      tiers: tiers
        .map(({ above_input_tokens: aboveInputTokens, ...of }) => ({ aboveInputTokens, ...toRates(of) }))
        .sort((a, b) => a.aboveInputTokens - b.aboveInputTokens),
    }),
  ),
);

const toRates = (rates: Omit<v.InferOutput<typeof tier>, "above_input_tokens">) => ({
  input: rates.input,
  output: rates.output,
  ...(rates.cached_input === undefined ? {} : { cachedInput: rates.cached_input }),
  ...(rates.cache_write_5m === undefined ? {} : { cacheWrite: rates.cache_write_5m }),
  ...(rates.cache_write_1h === undefined ? {} : { cacheWrite1h: rates.cache_write_1h }),
});

/** `turns` are the requests that are turns of an assistant. Margins are of the requests whose upstream cost is known; null without any. */
const sums = {
  requests: v.number(),
  turns: v.number(),
  cost: amountText,
  what_if: amountText,
  difference: amountText,
  margin: v.nullable(amountText),
  what_if_margin: v.nullable(amountText),
};

/** What the charged requests of a period would have cost. */
export const whatIfAnswer = v.strictObject({
  from: timeText,
  to: timeText,
  models: v.array(v.strictObject({ model: v.string(), ...sums })),
  total: v.strictObject(sums),
});

const longestDays = 31;

/** POST /prices/what-if: it changes nothing. */
export const showWhatIf = defineOperation({
  name: "prices.what_if",
  method: "POST",
  path: "/prices/what-if",
  role: "viewer",
  summary: "What the requests of a period would have cost by other prices, by model",
  body: members("a question", {
    from: v.exactOptional(time),
    to: v.exactOptional(time),
    /** By the public id of the model. */
    prices: v.record(text, priceList),
  }),
  answer: whatIfAnswer,
  async run(context, { body: { from, to, prices } }) {
    const period = periodOf({ from, to });
    if (daysOf(period) > longestDays)
      throw invalid("from", `is more than ${longestDays} days before \`to\`. Send a later time.`);
    return whatIf(context, period, new Map(Object.entries(prices)));
  },
});

/**
 * Calculates what the charged requests of a period would have cost by other prices, from the tokens of each. It reads the rows
 * of usage in pages. A turn of an assistant is one row for several calls, whose tokens are priced as one request.
 */
export async function whatIf(
  context: OperationContext,
  period: Period,
  prices: ReadonlyMap<string, Prices | "free">,
): Promise<v.InferInput<typeof whatIfAnswer>> {
  const models: { readonly model: string; readonly sum: Sum }[] = [];
  for (const [model, price] of prices) models.push({ model, sum: await sumOf(context, period, model, price) });
  const total = newSum();
  for (const { sum } of models) addSum(total, sum);
  return {
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    models: models.map(({ model, sum }) => ({ model, ...shownSum(sum) })),
    total: shownSum(total),
  };
}

/** Amounts are in nano-units. `costKnown` and `whatIfKnown` are those of the requests whose upstream cost is known. */
interface Sum {
  requests: number;
  turns: number;
  cost: bigint;
  whatIf: bigint;
  hasUpstream: boolean;
  upstreamCost: bigint;
  costKnown: bigint;
  whatIfKnown: bigint;
}

const newSum = (): Sum => ({
  requests: 0,
  turns: 0,
  cost: 0n,
  whatIf: 0n,
  hasUpstream: false,
  upstreamCost: 0n,
  costKnown: 0n,
  whatIfKnown: 0n,
});

/** Few enough that reading a page of SQLite blocks the process for a few milliseconds. */
const pageSize = 200;

async function sumOf(context: OperationContext, period: Period, model: string, prices: Prices | "free"): Promise<Sum> {
  const usage = requireStore(context, "usage");
  const priceAt = priceReader(prices);
  const sum = newSum();
  let before: UsagePosition | undefined;
  do {
    const page = { ...period, filter: { model }, limit: pageSize, ...(before === undefined ? {} : { before }) };
    const { rows, next } = await context.ask(() => usage.list(page), usagePatienceMs);
    for (const row of rows) if (row.holdId !== undefined) addSum(sum, sumOfRow(row, priceAt));
    before = next;
    await nextTurn();
  } while (before !== undefined);
  return sum;
}

/** Returns a function that reads the price list of a time once. */
function priceReader(prices: Prices | "free") {
  const known = new Map<PriceList | "free", ReturnType<typeof readPrice>>();
  return (at: Date) => {
    const list = listAt(prices, at.getTime());
    const price = known.get(list) ?? readPrice(list);
    known.set(list, price);
    return price;
  };
}

function sumOfRow(row: UsageRow, priceAt: ReturnType<typeof priceReader>): Sum {
  const whatIf = isCharged(row) ? tokensAmount(priceAt(row.at), row.tokens) : 0n;
  const isKnown = row.upstreamCost !== undefined;
  return {
    requests: 1,
    turns: row.sessionId === undefined ? 0 : 1,
    cost: row.cost,
    whatIf,
    hasUpstream: isKnown,
    upstreamCost: row.upstreamCost ?? 0n,
    costKnown: isKnown ? row.cost : 0n,
    whatIfKnown: isKnown ? whatIf : 0n,
  };
}

/** False for a request whose hold was released, which costs nothing at any price. */
const isCharged = ({ cost, tokens }: UsageRow): boolean => cost > 0n || tokens.input > 0 || tokens.output > 0;

function addSum(sum: Sum, added: Sum): void {
  sum.requests += added.requests;
  sum.turns += added.turns;
  sum.cost += added.cost;
  sum.whatIf += added.whatIf;
  sum.hasUpstream ||= added.hasUpstream;
  sum.upstreamCost += added.upstreamCost;
  sum.costKnown += added.costKnown;
  sum.whatIfKnown += added.whatIfKnown;
}

const shownSum = (sum: Sum) => ({
  requests: sum.requests,
  turns: sum.turns,
  cost: formatAmount(sum.cost),
  what_if: formatAmount(sum.whatIf),
  difference: formatAmount(sum.whatIf - sum.cost),
  margin: sum.hasUpstream ? formatAmount(sum.costKnown - sum.upstreamCost) : null,
  what_if_margin: sum.hasUpstream ? formatAmount(sum.whatIfKnown - sum.upstreamCost) : null,
});
