import { type LedgerViolation, lotSumViolation, lotViolation } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import type { Query } from "./statement.ts";

/** Finds lots that do not have what their entries leave. */
export const lotsCheck = (connection: Connection): Query<LedgerViolation> =>
  connection.query(wrongRests, (row) =>
    lotViolation(row.text("account"), row.text("lot"), row.integer("stated"), row.integer("found")),
  );

/** Finds accounts whose rows do not say what their lots have, or whose lots have more than is posted. */
export const accountLotsCheck = (connection: Connection): Query<LedgerViolation> =>
  connection.query(wrongAccounts, toViolation);

const wrongRests = `
  WITH shares AS (
    SELECT entry.account, share.value ->> 'lot' AS lot,
           sum(iif(entry.amount > 0, 1, -1) * CAST(share.value ->> 'amount' AS INTEGER)) AS found
      FROM tollgate_entry AS entry, json_each(entry.lots) AS share
     WHERE entry.lots IS NOT NULL GROUP BY 1, 2)
  SELECT coalesce(shares.account, stated.account) AS account, coalesce(lot, id) AS lot,
         coalesce(rest, 0) AS stated, coalesce(found, 0) AS found
    FROM shares FULL JOIN tollgate_lot AS stated ON stated.account = shares.account AND stated.id = lot
   WHERE coalesce(rest, 0) <> coalesce(found, 0)`;

const wrongAccounts = `
  WITH found AS (
    SELECT account, sum(rest) AS rest, min(expires_at) AS next_lapse FROM tollgate_lot WHERE rest > 0 GROUP BY account)
  SELECT id AS account, posted, in_lots AS stated, coalesce(rest, 0) AS found, stated.next_lapse IS found.next_lapse AS in_time
    FROM tollgate_account AS stated LEFT JOIN found ON account = id
   WHERE in_lots <> coalesce(rest, 0) OR stated.next_lapse IS NOT found.next_lapse OR rest > max(posted, 0)`;

function toViolation(row: Row): LedgerViolation {
  const account = row.text("account");
  const [stated, found] = [row.integer("stated"), row.integer("found")];
  if (stated !== found) {
    return { account, problem: `Account ${account} counts ${stated} in lots, but they have ${found} left.` };
  }
  if (row.optionalFlag("in_time") === true) return lotSumViolation(account, found, row.integer("posted"));
  return { account, problem: `Account ${account} does not have the time at which its next lot expires.` };
}
