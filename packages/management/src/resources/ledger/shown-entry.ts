import { formatAmount } from "@tollgate/core";
import { oneOf } from "@tollgate/core/internal";
import type { ChargeReceipt, Entry, Receipt } from "@tollgate/core/store";
import * as v from "valibot";
import { amountText, pricesAnswer, shownPrices, shownTokens, timeText, tokensAnswer } from "../../schemas/answers.ts";

/** How a charge was calculated, in answers. */
export const receiptAnswer = v.strictObject({
  request_id: v.string(),
  key_id: v.string(),
  model: v.string(),
  dialect: v.string(),
  charge: v.nullable(
    v.strictObject({
      provider: v.string(),
      upstream_model: v.string(),
      tokens: tokensAnswer,
      basis: v.picklist(["reported", "estimated", "implausible"]),
      prices: pricesAnswer,
      duration_ms: v.number(),
      status: v.string(),
      answer_id: v.nullable(v.string()),
    }),
  ),
});

/** The kinds of entries. */
export const entryKind = oneOf("credit", "debit", "charge", "expiry", "late");

/** An entry of the ledger in answers. */
export const entryAnswer = v.strictObject({
  sequence: v.string(),
  kind: entryKind,
  amount: amountText,
  reference: v.string(),
  reason: v.nullable(v.string()),
  at: timeText,
  receipt: v.nullable(receiptAnswer),
});

/** An entry of the ledger as operators see it. */
export type ShownEntry = v.InferInput<typeof entryAnswer>;

/** Shows an entry with its receipt. */
export const shownEntry = ({ sequence, kind, amount, reference, reason, at, receipt }: Entry): ShownEntry => ({
  sequence: sequence.toString(),
  kind,
  amount: formatAmount(amount),
  reference,
  reason: reason ?? null,
  at: at.toISOString(),
  receipt: receipt === undefined ? null : shownReceipt(receipt),
});

const shownReceipt = ({ requestId, keyId, model, dialect, charge }: Receipt) => ({
  request_id: requestId,
  key_id: keyId,
  model,
  dialect,
  charge: charge === undefined ? null : shownCharge(charge),
});

const shownCharge = (charge: ChargeReceipt) => ({
  provider: charge.provider,
  upstream_model: charge.upstreamModel,
  tokens: shownTokens(charge.tokens),
  basis: charge.basis,
  prices: shownPrices(charge.prices),
  duration_ms: charge.durationMs,
  status: charge.status,
  answer_id: charge.answerId ?? null,
});
