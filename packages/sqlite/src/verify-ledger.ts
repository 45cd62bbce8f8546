import type { LedgerViolation } from "@tollgate/core/store";
import { sumViolation } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import type { Query } from "./statement.ts";
import { accountLotsCheck, lotsCheck } from "./verify-lots.ts";
import { keyUsageCheck, totalsCheck } from "./verify-totals.ts";

/** Recomputes every sum, in one snapshot of the caller, and returns the differences. */
export class LedgerCheck {
  readonly #checks: readonly Query<LedgerViolation>[];

  constructor(connection: Connection) {
    const balances = connection.query(disagreements, toViolation);
    const totals = [totalsCheck(connection), keyUsageCheck(connection)];
    this.#checks = [balances, ...totals, lotsCheck(connection), accountLotsCheck(connection)];
  }

  violations(): readonly LedgerViolation[] {
    return this.#checks.flatMap((check) => check.all());
  }
}

/** What was refunded of the charge of an expired hold. A late settlement returns nothing of it again. */
const refundedAtExpiry = `(
  SELECT coalesce(sum(refund.amount), 0)
    FROM tollgate_entry AS expiry
    JOIN tollgate_entry AS refund ON refund.reference = CAST(expiry.sequence AS TEXT) AND refund.kind = 'refund'
   WHERE expiry.reference = hold AND expiry.kind = 'expiry')`;

// The entries of an account are summed in the order of its index, so every partial sum was once a balance and fits into
// 64 bits.
const disagreements = `
  WITH
    pending AS (SELECT account, sum(amount) AS amount FROM tollgate_hold WHERE state = 'pending' GROUP BY account),
    named AS (
      SELECT id FROM tollgate_account
      UNION SELECT account FROM tollgate_entry
      UNION SELECT account FROM pending
    ),
    compared AS (
      SELECT 'posted' AS what, named.id AS account, '' AS hold, coalesce(posted, 0) AS stated,
          (SELECT coalesce(sum(amount), 0) FROM tollgate_entry WHERE account = named.id) AS found
        FROM named LEFT JOIN tollgate_account USING (id)
      UNION ALL
      SELECT 'held', named.id, '', coalesce(held, 0), coalesce(pending.amount, 0)
        FROM named LEFT JOIN tollgate_account USING (id) LEFT JOIN pending ON pending.account = named.id
      UNION ALL
      SELECT 'charged', account, id, charged, (
          SELECT -coalesce(sum(amount), 0) FROM tollgate_entry
            WHERE reference = tollgate_hold.id AND +account = tollgate_hold.account
              AND kind IN ('charge', 'expiry', 'late'))
        FROM tollgate_hold
      UNION ALL
      SELECT 'too early', account, id, charged, 0 FROM tollgate_hold WHERE state IN ('pending', 'released')
      UNION ALL
      SELECT 'stray', account, reference, amount, 0 FROM tollgate_entry
        WHERE kind IN ('charge', 'expiry', 'late') AND NOT EXISTS (
          SELECT 1 FROM tollgate_hold WHERE id = reference AND account = tollgate_entry.account)
      UNION ALL
      SELECT 'negative', id, '', held, 0 FROM tollgate_account WHERE held < 0
    )
  SELECT what, account, hold, stated, found FROM compared
   WHERE stated <> found AND NOT (what = 'charged' AND found = max(stated, ${refundedAtExpiry}))`;

const kinds = ["posted", "held", "charged", "too early", "stray", "negative"] as const;

function toViolation(row: Row): LedgerViolation {
  const what = row.oneOf("what", kinds);
  const [account, hold] = [row.text("account"), row.text("hold")];
  const [stated, found] = [row.integer("stated"), row.integer("found")];
  switch (what) {
    case "posted":
    case "held":
      return sumViolation(account, what, stated, found);
    case "charged":
      return { account, problem: `Hold ${hold} was charged ${stated}, but its entries sum to ${-found}.` };
    case "too early":
      return { account, problem: `Hold ${hold} was charged ${stated}, but it is neither settled nor expired.` };
    case "stray":
      return {
        account,
        problem: `Account ${account} has an entry of ${stated} for hold ${hold}, which does not exist for this account.`,
      };
    case "negative":
      return { account, problem: `Account ${account} has ${stated} held, which is below zero.` };
  }
}
