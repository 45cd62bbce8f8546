import * as v from "valibot";
import { amount, oneOf } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import { requireArgument } from "../options/problems.ts";
import { timeZone } from "../options/time-zone.ts";
import type { NewSpendLimit, SpendLimit } from "./spend-limit.ts";

/** The schema of the spend limit of an account or a key. */
export const spendLimitSchema = optionMembers("a spend limit", {
  limit: amount(0n),
  window: oneOf("day", "week", "month", "total"),
  timezone: v.exactOptional(timeZone),
});

/** Returns a spend limit if it is valid, and otherwise throws a RangeError that lists every problem. */
export const checkedSpendLimit = (spend: NewSpendLimit): SpendLimit =>
  requireArgument(spendLimitSchema, spend, "spend");
