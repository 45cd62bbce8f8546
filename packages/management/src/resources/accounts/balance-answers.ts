import { formatAmount } from "@tollgate/core";
import type { AccountBalance, Balance, ExpiringAmount, Freeze } from "@tollgate/core/store";
import * as v from "valibot";
import { answerFrom, orNull } from "../../schemas/answer.ts";
import { amountText, timeText } from "../../schemas/answers.ts";

/** A balance in answers. */
export const balanceAnswer = answerFrom<Balance>()({
  posted: [amountText, ({ posted }) => formatAmount(posted)],
  held: [amountText, ({ held }) => formatAmount(held)],
  available: [amountText, ({ available }) => formatAmount(available)],
});

/** Since when and why an account is frozen, in answers. */
export const freezeAnswer = answerFrom<Freeze>()({
  at: [timeText, ({ at }) => at.toISOString()],
  reason: [v.string(), ({ reason }) => reason],
});

const expiringAnswer = answerFrom<ExpiringAmount>()({
  amount: [amountText, ({ amount }) => formatAmount(amount)],
  expires_at: [timeText, ({ expiresAt }) => expiresAt.toISOString()],
});

const totalsAnswer = answerFrom<AccountBalance["totals"]>()({
  credited: [amountText, ({ credited }) => formatAmount(credited)],
  used: [amountText, ({ used }) => formatAmount(used)],
});

/** A balance with what expires of it, its totals, and whether the account is frozen, in answers. */
export const accountBalanceAnswer = answerFrom<AccountBalance>()({
  ...balanceAnswer.members,
  expiring: [v.array(expiringAnswer.schema), ({ expiring }) => expiring.map(expiringAnswer.show)],
  totals: [totalsAnswer.schema, ({ totals }) => totalsAnswer.show(totals)],
  frozen: [v.nullable(freezeAnswer.schema), ({ frozen }) => orNull(frozen, freezeAnswer.show)],
});
