import * as v from "valibot";
import { amount, oneOf, timeZone, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import { problemsOf, requireArgument } from "../options/problems.ts";
import { type NewSpendLimit, type SpendLimit, spendWindows } from "./spend-limit.ts";

/** The longest window of a limit, in seconds: one week. A longer one would overflow the timer of the request counter. */
export const longestWindowSeconds = 604_800;

const window = optionMembers("a window limit", {
  limit: wholeNumber(),
  windowSeconds: v.exactOptional(wholeNumber(1, longestWindowSeconds)),
});

/** The schema of the limits of a plan or a key. */
export const limitsSchema = optionMembers("limits", {
  requests: v.exactOptional(window),
  tokens: v.exactOptional(window),
  concurrency: v.exactOptional(wholeNumber()),
});

/** Returns the problems of the limits of a key or a plan. Each names the member and says what to do. */
export const checkLimits = (name: string, limits: unknown): readonly string[] => problemsOf(limitsSchema, limits, name);

/** The schema of the spend limit of an account or a key. */
export const spendLimitSchema = optionMembers("a spend limit", {
  limit: amount(0n),
  window: oneOf(...spendWindows),
  timezone: v.exactOptional(timeZone),
});

/** Returns a spend limit if it is valid, and otherwise throws a RangeError that lists every problem. */
export const checkedSpendLimit = (spend: NewSpendLimit): SpendLimit =>
  requireArgument(spendLimitSchema, spend, "spend");
