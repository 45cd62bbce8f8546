import { formatAmount } from "@tollgate/core";
import type { SpendState } from "@tollgate/core/store";
import * as v from "valibot";
import { amountText, shownTime, timeText } from "./answers.ts";
import { shownSpend, spendMembers } from "./limits.ts";

/** The members of a spend limit with what was spent of it. */
export const spendStateMembers = { ...spendMembers, spent: amountText, resets_at: v.nullable(timeText) };

/** A spend limit with what was spent of it in its present window. */
export const spendStateAnswer = v.strictObject(spendStateMembers);

/** Shows a spend limit with what was spent of it. */
export const shownSpendState = ({ limit, spent, resetsAt }: SpendState) => ({
  ...shownSpend(limit),
  spent: formatAmount(spent),
  resets_at: shownTime(resetsAt),
});
