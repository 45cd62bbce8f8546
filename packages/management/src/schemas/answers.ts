import { type CurrentPrices, formatAmount, type ListedPrices, type TierPrices } from "@tollgate/core";
import type { TokenCounts, UnitPrices } from "@tollgate/core/store";
import * as v from "valibot";
import { answerFrom, orNull } from "./answer.ts";

/** An amount in an answer: a decimal string in the currency of the host. */
export const amountText = v.pipe(v.string(), v.regex(/^-?\d+(?:\.\d+)?$/));

/** A time in an answer: ISO 8601 in UTC. */
export const timeText = v.pipe(v.string(), v.isoTimestamp());

/** Shows a time, or null. */
export const shownTime = (time: Date | undefined): string | null => orNull(time, (at) => at.toISOString());

/** Shows an amount, or null. */
export const shownAmount = (nano: bigint | undefined): string | null => orNull(nano, formatAmount);

/** Tokens by class. */
export const tokensAnswer = answerFrom<TokenCounts>()({
  input: [v.number(), ({ input }) => input],
  cached_input: [v.number(), ({ cachedInput }) => cachedInput],
  cache_write_5m: [v.number(), ({ cacheWrite5m }) => cacheWrite5m],
  cache_write_1h: [v.number(), ({ cacheWrite1h }) => cacheWrite1h],
  output: [v.number(), ({ output }) => output],
  reasoning: [v.number(), ({ reasoning }) => reasoning],
});

/** Prices per million tokens, and `request` per request. */
export const pricesAnswer = answerFrom<UnitPrices>()({
  input: [amountText, ({ input }) => formatAmount(input)],
  cached_input: [amountText, ({ cachedInput }) => formatAmount(cachedInput)],
  cache_write_5m: [amountText, ({ cacheWrite5m }) => formatAmount(cacheWrite5m)],
  cache_write_1h: [amountText, ({ cacheWrite1h }) => formatAmount(cacheWrite1h)],
  output: [amountText, ({ output }) => formatAmount(output)],
  request: [amountText, ({ request }) => formatAmount(request)],
});

const tierAnswer = answerFrom<TierPrices>()({
  above_input_tokens: [v.number(), ({ aboveInputTokens }) => aboveInputTokens],
  ...pricesAnswer.members,
});

/** Prices with those of requests with longer prompts, and since when they apply. */
const listAnswer = answerFrom<ListedPrices>()({
  ...pricesAnswer.members,
  tiers: [v.array(tierAnswer.schema), ({ tiers = [] }) => tiers.map(tierAnswer.show)],
  from: [v.nullable(timeText), ({ from }) => shownTime(from)],
});

/** The prices that apply now, and those that follow. */
export const currentPricesAnswer = answerFrom<CurrentPrices>()({
  ...listAnswer.members,
  later: [v.array(listAnswer.schema), ({ later = [] }) => later.map(listAnswer.show)],
});

/** A target by its provider and the provider's name of the model. */
export const targetAnswer = answerFrom<{ readonly provider: string; readonly upstreamModel: string }>()({
  provider: [v.string(), ({ provider }) => provider],
  upstream_model: [v.string(), ({ upstreamModel }) => upstreamModel],
});

/** A JSON object whose members are described elsewhere. */
export const objectOf = <Value extends object>() =>
  v.custom<Value>((value) => typeof value === "object" && value !== null && !Array.isArray(value));

/** A JSON object of the host or of a client, whose members are not known here. */
export const anyObject = objectOf<object>();
