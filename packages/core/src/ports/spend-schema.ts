import * as v from "valibot";
import { oneOf, wanted } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import { problemsOf } from "../options/problems.ts";
import { timeZone } from "../options/time-zone.ts";
import type { SpendLimit } from "./spend-limit.ts";

/** The largest amount that every store can keep: a signed integer of 64 bits. */
const largest = 2n ** 63n - 1n;

/** The schema of the spend limit of a plan, an account or a key. */
export const spendLimitSchema = optionMembers("a spend limit", {
  limit: v.custom<bigint>(
    (value) => typeof value === "bigint" && value >= 0n && value <= largest,
    wanted("must be a bigint of nano-units from 0 to 2^63 - 1"),
  ),
  window: oneOf("day", "week", "month", "total"),
  timezone: v.exactOptional(timeZone),
});

/** Returns a spend limit if it is valid, and otherwise throws a RangeError that lists every problem. */
export function checkedSpendLimit(spend: SpendLimit): SpendLimit {
  const problems = problemsOf(spendLimitSchema, spend, "spend");
  if (problems.length > 0) throw new RangeError(problems.join(" "));
  return spend;
}
