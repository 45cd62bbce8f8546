import { formatAmount } from "@tollgate/core";
import { oneOf } from "@tollgate/core/internal";
import type { ChargeReceipt, Entry, EntryQuery, Receipt } from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../operations/context.ts";
import { defineList, sequencePosition } from "../operations/lists.ts";
import { defineOperation } from "../operations/operation.ts";
import { amountText, pricesAnswer, shownPrices, shownTokens, timeText, tokensAnswer } from "../schemas/answers.ts";
import { time } from "../schemas/values.ts";

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

const entryKind = oneOf("credit", "debit", "charge", "expiry", "late");

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

/** The ledger of an account, newest first. */
export const listEntries = defineList({
  name: "accounts.entries",
  path: "/accounts/:id/entries",
  role: "viewer",
  summary: "The ledger of an account with the receipt of each charge, newest first",
  query: {
    kind: v.exactOptional(entryKind),
    from: v.exactOptional(time),
    to: v.exactOptional(time),
  },
  item: entryAnswer,
  position: sequencePosition,
  exported: true,
  async page(context, { id: account, query, limit, after }) {
    const page = { account, limit, newestFirst: true, ...query, ...(after === undefined ? {} : { after }) };
    const { entries, next } = await readEntries(context, page);
    return { data: entries, next: next?.toString() };
  },
});

/** Reads a page of the ledger of an account, in either order. */
export async function readEntries(context: OperationContext, query: EntryQuery) {
  const balances = requireStore(context, "balances");
  const { entries, next } = await context.ask(() => balances.entries(query));
  return { entries: entries.map(shownEntry), ...(next === undefined ? {} : { next }) };
}

const verifyPatienceMs = 120_000;

/** Checks every entry, which may take a while. It changes nothing. */
export const verifyLedger = defineOperation({
  name: "ledger.verify",
  method: "POST",
  path: "/ledger/verify",
  role: "admin",
  summary: "Checks the whole ledger for inconsistencies",
  answer: v.strictObject({
    ok: v.boolean(),
    violations: v.array(v.strictObject({ account: v.string(), problem: v.string() })),
  }),
  async run(context) {
    const balances = requireStore(context, "balances");
    const violations = await context.ask(() => balances.verify(), verifyPatienceMs);
    return {
      ok: violations.length === 0,
      violations: violations.map(({ account, problem }) => ({ account, problem })),
    };
  },
});

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
