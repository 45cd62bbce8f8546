import type { TextRow } from "@tollgate/core/internal";
import {
  type Balance,
  type Credit,
  checkedCredit,
  checkedDebit,
  checkedRefund,
  type Debit,
  emptyBalance,
  type PostingResult,
  type Refund,
  type RefundResult,
} from "@tollgate/core/store";
import { toBalance } from "./accounts.ts";
import type { Statement } from "./schema.ts";
import { postingStatement, refundStatement } from "./statements/posting.ts";
import { maxAmount } from "./storable-values.ts";

/** Runs a statement that inserts a row with a new id, unless there is one. A concurrent call may insert it first. */
export interface Inserter {
  insert(statement: Statement, values: unknown[]): Promise<TextRow>;
}

/** Posts a credit. */
export async function postCredit(inserter: Inserter, credit: Credit): Promise<PostingResult> {
  const { kind, expiresAt, ...posting } = checkedCredit(credit);
  return post(inserter, "credit", posting, [kind === "granted" ? kind : undefined, expiresAt?.getTime()]);
}

/** Posts a debit. */
export async function postDebit(inserter: Inserter, debit: Debit): Promise<PostingResult> {
  const { from, ...posting } = checkedDebit(debit);
  return post(inserter, "debit", posting, [from, undefined]);
}

async function post(
  inserter: Inserter,
  kind: "credit" | "debit",
  { account, amount, id, reason }: { readonly [Name in "account" | "amount" | "id" | "reason"]: string | bigint },
  lot: readonly [money: string | undefined, expiresAt: number | undefined],
): Promise<PostingResult> {
  const row = await inserter.insert(postingStatement, [account, kind, String(amount), id, reason, ...lot]);
  const outcome = row.oneOf("outcome", ["posted", "repeated", "conflict"]);
  return outcome === "conflict" ? { outcome } : { outcome, ...postedOf(row) };
}

/** Refunds a charge. */
export async function refundCharge(inserter: Inserter, refund: Refund): Promise<RefundResult> {
  const { account, sequence, amount, reason } = checkedRefund(refund);
  if (sequence < 1n || sequence > maxAmount) return { outcome: "unknown" };
  const values = [account, String(sequence), amount === undefined ? undefined : String(amount), reason];
  const row = await inserter.insert(refundStatement, values);
  const outcome = row.oneOf("outcome", ["posted", "repeated", "conflict", "unknown"]);
  return outcome === "conflict" || outcome === "unknown" ? { outcome } : { outcome, ...postedOf(row) };
}

const postedOf = (row: TextRow): { readonly balance: Balance; readonly amount: bigint } => ({
  balance: toBalance(row) ?? emptyBalance,
  amount: row.integer("amount"),
});
