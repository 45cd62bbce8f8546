import * as v from "valibot";
import { amount, arrayOf, filledText, oneOf, timeZone, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import { problemsOf, requireArgument } from "../options/problems.ts";
import { type NewSpendLimit, type SpendLimit, spendWindows } from "./spend-limit.ts";

/** The longest window of a limit, in seconds: one week. A longer one would overflow the timer of the request counter. */
export const longestWindowSeconds = 604_800;

const window = optionMembers("a window limit", {
  limit: wholeNumber(),
  windowSeconds: v.exactOptional(wholeNumber(1, longestWindowSeconds)),
});

const limits = {
  requests: v.exactOptional(window),
  tokens: v.exactOptional(window),
  concurrency: v.exactOptional(wholeNumber()),
};

/** The schema of the limits of a key. */
export const limitsSchema = optionMembers("limits", limits);

/** The schema of the limits of a plan. */
export const planLimitsSchema = optionMembers("limits", { ...limits, per: v.exactOptional(oneOf("key", "account")) });

/** Returns the problems of the limits of a key. Each names the member and says what to do. */
export const checkLimits = (name: string, limits: unknown): readonly string[] => problemsOf(limitsSchema, limits, name);

/** The schema of the models of a spend limit. */
export const spendModels = v.pipe(
  arrayOf("model ids", filledText),
  v.minLength(1, "is empty. Name at least one model, or leave it out for all"),
);

/** The schema of the spend limit of an account or a key. */
export const spendLimitSchema = optionMembers("a spend limit", {
  limit: amount(0n),
  window: oneOf(...spendWindows),
  timezone: v.exactOptional(timeZone),
  models: v.exactOptional(spendModels),
});

/** Returns a spend limit if it is valid, and otherwise throws a RangeError that lists every problem. */
export const checkedSpendLimit = (spend: NewSpendLimit): SpendLimit =>
  requireArgument(spendLimitSchema, spend, "spend");
