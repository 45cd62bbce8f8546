import { keyViolation, type LedgerViolation, sumViolation } from "@tollgate/core/store";
import { readTotal } from "./accounts.ts";
import type { Connection } from "./connection.ts";
import { isUse, nanos } from "./lot-tables.ts";
import type { Query } from "./statement.ts";

/** Finds accounts whose totals are not the sums of their entries. */
export const totalsCheck = (connection: Connection): Query<LedgerViolation> =>
  connection.query(wrongTotals, (row) =>
    sumViolation(
      row.text("account"),
      row.oneOf("what", ["credited", "used"]),
      readTotal(row, "stated"),
      readTotal(row, "found"),
    ),
  );

/** Finds keys whose usage is not the sum of their entries. */
export const keyUsageCheck = (connection: Connection): Query<LedgerViolation> =>
  connection.query(wrongKeyUsage, (row) =>
    keyViolation(row.text("account"), row.text("key_id"), readTotal(row, "stated"), readTotal(row, "found")),
  );

const isCredited = "(kind = 'credit' OR kind = 'debit' AND reference IN (SELECT id FROM tollgate_paid_debit))";

const wrongTotals = `
  WITH
    found AS (
      SELECT account,
             sum(iif(${isCredited}, amount / ${nanos}, 0)) AS credited_units,
             sum(iif(${isCredited}, amount % ${nanos}, 0)) AS credited_nanos,
             -sum(iif(${isUse("kind")}, amount / ${nanos}, 0)) AS used_units,
             -sum(iif(${isUse("kind")}, amount % ${nanos}, 0)) AS used_nanos
        FROM tollgate_entry GROUP BY account),
    compared AS (
      SELECT 'credited' AS what, id AS account, stated.credited_units AS stated_units, stated.credited_nanos AS stated_nanos,
             coalesce(found.credited_units, 0) AS found_units, coalesce(found.credited_nanos, 0) AS found_nanos
        FROM tollgate_account AS stated LEFT JOIN found ON found.account = id
      UNION ALL
      SELECT 'used', id, stated.used_units, stated.used_nanos, coalesce(found.used_units, 0), coalesce(found.used_nanos, 0)
        FROM tollgate_account AS stated LEFT JOIN found ON found.account = id)
  SELECT * FROM compared WHERE (stated_units, stated_nanos) <> (found_units, found_nanos)`;

const wrongKeyUsage = `
  WITH
    found AS (
      SELECT coalesce(entry.key_id, hold.key_id) AS key_id, min(entry.account) AS account,
             -sum(entry.amount / ${nanos}) AS units, -sum(entry.amount % ${nanos}) AS nanos
        FROM tollgate_entry AS entry
        LEFT JOIN tollgate_hold AS hold ON entry.key_id IS NULL AND hold.id = entry.reference
       WHERE ${isUse("entry.kind")} GROUP BY 1),
    compared AS (
      SELECT key_id, coalesce(found.account, (SELECT account FROM tollgate_key WHERE id = key_id), '') AS account,
             coalesce(used_units, 0) AS stated_units, coalesce(used_nanos, 0) AS stated_nanos,
             coalesce(units, 0) AS found_units, coalesce(nanos, 0) AS found_nanos
        FROM found FULL JOIN tollgate_key_usage USING (key_id) WHERE key_id IS NOT NULL)
  SELECT * FROM compared WHERE (stated_units, stated_nanos) <> (found_units, found_nanos)`;
