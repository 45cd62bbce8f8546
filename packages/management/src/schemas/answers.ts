import { formatAmount } from "@tollgate/core";
import type { TokenCounts, UnitPrices } from "@tollgate/core/store";
import * as v from "valibot";

/** An amount in an answer: a decimal string in the currency of the host. */
export const amountText = v.pipe(v.string(), v.regex(/^-?\d+(?:\.\d+)?$/));

/** A time in an answer: ISO 8601 in UTC. */
export const timeText = v.pipe(v.string(), v.isoTimestamp());

/** Tokens by class. */
export const tokensAnswer = v.strictObject({
  input: v.number(),
  cached_input: v.number(),
  cache_write_5m: v.number(),
  cache_write_1h: v.number(),
  output: v.number(),
  reasoning: v.number(),
});

/** Prices per million tokens, and `request` per request. */
export const pricesAnswer = v.strictObject({
  input: amountText,
  cached_input: amountText,
  cache_write_5m: amountText,
  cache_write_1h: amountText,
  output: amountText,
  request: amountText,
});

/** Shows tokens by class. */
export const shownTokens = ({ input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning }: TokenCounts) => ({
  input,
  cached_input: cachedInput,
  cache_write_5m: cacheWrite5m,
  cache_write_1h: cacheWrite1h,
  output,
  reasoning,
});

/** Shows prices. */
export const shownPrices = ({ input, cachedInput, cacheWrite5m, cacheWrite1h, output, request }: UnitPrices) => ({
  input: formatAmount(input),
  cached_input: formatAmount(cachedInput),
  cache_write_5m: formatAmount(cacheWrite5m),
  cache_write_1h: formatAmount(cacheWrite1h),
  output: formatAmount(output),
  request: formatAmount(request),
});

/** Shows a time, or null. */
export const shownTime = (time: Date | undefined): string | null => time?.toISOString() ?? null;

/** Shows an amount, or null. */
export const shownAmount = (nano: bigint | undefined): string | null =>
  nano === undefined ? null : formatAmount(nano);

/** A JSON object whose members are described elsewhere. */
export const objectOf = <Value extends object>() =>
  v.custom<Value>((value) => typeof value === "object" && value !== null && !Array.isArray(value));

/** A JSON object of the host or of a client, whose members are not known here. */
export const anyObject = objectOf<object>();
