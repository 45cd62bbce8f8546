import { topUpColumns } from "@tollgate/payments/store";
import type { Tables } from "../schema.ts";
import { now } from "../statements/sessions.ts";
import { namesOf, parametersOf, replacing, selected } from "./columns.ts";

const columns = selected(topUpColumns, "top_up");
const today = "date_trunc('day', clock_timestamp() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'";

/** Adds an automatic top-up, or replaces the one of its account. The parameters are its columns. */
export const writeTopUpStatement = ({ topUp }: Tables): string =>
  `INSERT INTO ${topUp} (${namesOf(topUpColumns)}) VALUES (${parametersOf(topUpColumns)})
       ON CONFLICT (account) DO UPDATE SET ${replacing(topUpColumns)}`;

/** Removes the automatic top-up of account $1, and returns its row. */
export const removeTopUpStatement = ({ topUp }: Tables): string =>
  `DELETE FROM ${topUp} WHERE account = $1 RETURNING account`;

/** Stops the automatic top-up of account $1 for the reason $2. */
export const stopTopUpStatement = ({ topUp }: Tables): string =>
  `UPDATE ${topUp} SET stopped_at = ${now}, stopped_reason = $2 WHERE account = $1`;

/** Selects the automatic top-up of account $1. */
export const findTopUpStatement = ({ topUp }: Tables): string =>
  `SELECT ${columns} FROM ${topUp} AS top_up WHERE top_up.account = $1`;

/** Selects at most $1 automatic top-ups that are due after account $2, by account, each with the `last` payment of its account. */
export function dueTopUpsStatement({ topUp, payment, account }: Tables): string {
  const made = `${payment} AS payment
     WHERE payment.account = top_up.account AND payment.kind = 'top_up' AND payment.state <> 'pending'`;
  return `
SELECT ${columns},
       (SELECT payment.id FROM ${made} ORDER BY payment.created_at DESC, payment.id DESC LIMIT 1) AS last
  FROM ${topUp} AS top_up LEFT JOIN ${account} AS known ON known.id = top_up.account
 WHERE top_up.account > $2 AND top_up.stopped_at IS NULL AND coalesce(known.posted, 0) < top_up.below
   AND NOT EXISTS (SELECT 1 FROM ${made} AND payment.state IN ('open', 'processing'))
   AND top_up.max_per_day > (SELECT count(*) FROM ${made} AND payment.created_at >= ${today})
 ORDER BY top_up.account LIMIT $1::bigint`;
}
