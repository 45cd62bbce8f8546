import { formatAmount, GatewayError } from "@tollgate/core";
import { wanted } from "@tollgate/core/internal";
import type { Balance } from "@tollgate/core/store";
import * as v from "valibot";
import { requireStore } from "../../operations/context.ts";
import { defineChange } from "../../operations/operation.ts";
import { answerFrom } from "../../schemas/answer.ts";
import { amountText } from "../../schemas/answers.ts";
import { members, positiveAmount, text } from "../../schemas/values.ts";
import { balanceAnswer } from "./balance-answers.ts";

const sequenceMessage = 'must be the `sequence` of an entry, such as "1042"';

interface Refunded {
  readonly outcome: "posted" | "repeated";
  readonly amount: bigint;
  readonly balance: Balance;
}

const refundedAnswer = answerFrom<Refunded>()({
  outcome: [v.picklist(["posted", "repeated"]), ({ outcome }) => outcome],
  amount: [amountText, ({ amount }) => formatAmount(amount)],
  balance: [balanceAnswer.schema, ({ balance }) => balanceAnswer.show(balance)],
});

/** The sequence number of an entry, as GET /accounts/{id}/entries has it, read as a bigint. */
const sequence = v.pipe(
  v.string(wanted(sequenceMessage)),
  v.regex(/^\d{1,18}$/, wanted(sequenceMessage)),
  v.transform((digits) => BigInt(digits)),
);

/** Returns a charge, or a part of it, to what it was taken from. Each charge is refunded at most once. */
export const refundCharge = defineChange({
  name: "accounts.refund",
  method: "POST",
  path: "/accounts/:id/refunds",
  role: "admin",
  summary: "Refunds a charge of the ledger to what it was taken from, once; without an amount all of it",
  body: members("a refund", { sequence, amount: v.exactOptional(positiveAmount), reason: text }),
  answer: refundedAnswer.schema,
  action: "account.refund",
  async run(context, { id: account, body }, audited) {
    const balances = requireStore(context, "balances");
    const { sequence, amount, reason } = body;
    const subject = `account:${account}`;
    const of = { sequence: sequence.toString() };
    const result = await audited(
      { subject, after: { ...of, ...(amount === undefined ? {} : { amount: formatAmount(amount) }), reason } },
      () => context.ask(() => balances.refund({ account, ...body })),
      ({ outcome }) => (outcome === "posted" ? undefined : { action: `account.refund.${outcome}`, subject, after: of }),
    );
    if ("balance" in result) return refundedAnswer.show(result);
    throw result.outcome === "unknown" ? noCharge() : otherRefund();
  },
});

const noCharge = (): GatewayError =>
  new GatewayError(
    "resource_not_found",
    "The account has no charge with this `sequence`. Use that of an entry of the kind charge, expiry or late of GET /accounts/{id}/entries.",
    { param: "sequence" },
  );

const otherRefund = (): GatewayError =>
  new GatewayError(
    "conflict",
    "This charge was refunded before with another amount, or the amount exceeds what it charged. Nothing was refunded. Look at the refunds of GET /accounts/{id}/entries, or send a smaller amount.",
    { param: "amount" },
  );
