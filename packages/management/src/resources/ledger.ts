import { formatAmount } from "@tollgate/core";
import { oneOf } from "@tollgate/core/internal";
import {
  type ChargeReceipt,
  type Entry,
  type EntryQuery,
  entryKinds,
  type LedgerViolation,
  type LotShare,
  moneyKinds,
  type Receipt,
} from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../operations/context.ts";
import { defineList, sequencePosition } from "../operations/lists.ts";
import { defineOperation } from "../operations/operation.ts";
import { answerFrom, orNull } from "../schemas/answer.ts";
import { amountText, pricesAnswer, shownTime, targetAnswer, timeText, tokensAnswer } from "../schemas/answers.ts";
import { time } from "../schemas/values.ts";

/** How a charge of a call was calculated, in answers. */
export const chargeAnswer = answerFrom<ChargeReceipt>()({
  ...targetAnswer.members,
  tokens: [tokensAnswer.schema, ({ tokens }) => tokensAnswer.show(tokens)],
  basis: [v.picklist(["reported", "estimated", "implausible"]), ({ basis }) => basis],
  prices: [pricesAnswer.schema, ({ prices }) => pricesAnswer.show(prices)],
  // The prompt tokens above which the prices apply; null for those of all requests.
  tier: [v.nullable(v.number()), ({ tier }) => tier ?? null],
  duration_ms: [v.number(), ({ durationMs }) => durationMs],
  status: [v.string(), ({ status }) => status],
  answer_id: [v.nullable(v.string()), ({ answerId }) => answerId ?? null],
});

/**
 * How a charge was calculated, in answers. A charge of a call has a model and a dialect, and one that the host made itself a
 * description, at times metadata, and not always a key.
 */
export const receiptAnswer = answerFrom<Receipt>()({
  request_id: [v.string(), ({ requestId }) => requestId],
  key_id: [v.nullable(v.string()), ({ keyId }) => keyId ?? null],
  model: [v.nullable(v.string()), ({ model }) => model ?? null],
  dialect: [v.nullable(v.string()), ({ dialect }) => dialect ?? null],
  description: [v.nullable(v.string()), ({ description }) => description ?? null],
  metadata: [v.nullable(v.record(v.string(), v.string())), ({ metadata }) => orNull(metadata, (each) => ({ ...each }))],
  charge: [v.nullable(chargeAnswer.schema), ({ charge }) => orNull(charge, chargeAnswer.show)],
});

const entryKind = oneOf(...entryKinds);

/** A part of an entry that was paid from or added to money that is granted or expires. */
const lotAnswer = answerFrom<LotShare>()({
  lot: [v.string(), ({ lot }) => lot],
  kind: [v.picklist(moneyKinds), ({ kind }) => kind],
  amount: [amountText, ({ amount }) => formatAmount(amount)],
  expires_at: [v.nullable(timeText), ({ expiresAt }) => shownTime(expiresAt)],
});

/** An entry of the ledger in answers. */
export const entryAnswer = answerFrom<Entry>()({
  sequence: [v.string(), ({ sequence }) => sequence.toString()],
  kind: [entryKind, ({ kind }) => kind],
  amount: [amountText, ({ amount }) => formatAmount(amount)],
  reference: [v.string(), ({ reference }) => reference],
  reason: [v.nullable(v.string()), ({ reason }) => reason ?? null],
  at: [timeText, ({ at }) => at.toISOString()],
  receipt: [v.nullable(receiptAnswer.schema), ({ receipt }) => orNull(receipt, receiptAnswer.show)],
  lots: [v.nullable(v.array(lotAnswer.schema)), ({ lots }) => orNull(lots, (each) => each.map(lotAnswer.show))],
});

/** An entry of the ledger as operators see it. */
export type ShownEntry = v.InferInput<typeof entryAnswer.schema>;

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
  item: entryAnswer.schema,
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
  return { entries: entries.map(entryAnswer.show), ...(next === undefined ? {} : { next }) };
}

const violationAnswer = answerFrom<LedgerViolation>()({
  account: [v.string(), ({ account }) => account],
  problem: [v.string(), ({ problem }) => problem],
});

const verdictAnswer = answerFrom<readonly LedgerViolation[]>()({
  ok: [v.boolean(), (violations) => violations.length === 0],
  violations: [v.array(violationAnswer.schema), (violations) => violations.map(violationAnswer.show)],
});

const verifyPatienceMs = 120_000;

/** Checks every entry, which may take a while. It changes nothing. */
export const verifyLedger = defineOperation({
  name: "ledger.verify",
  method: "POST",
  path: "/ledger/verify",
  role: "admin",
  summary: "Checks the whole ledger for inconsistencies",
  answer: verdictAnswer.schema,
  async run(context) {
    const balances = requireStore(context, "balances");
    return verdictAnswer.show(await context.ask(() => balances.verify(), verifyPatienceMs));
  },
});
