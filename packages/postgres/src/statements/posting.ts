import type { Tables } from "../schema.ts";
import { timestampOf } from "./times.ts";

const result = "outcome, (own).posted::text AS posted, (own).held::text AS held, part::text AS amount";

/**
 * Posts one credit or debit. $1 account, $2 kind, $3 the amount, $4 id, $5 reason, $6 the kind of a credit that is granted, and
 * what a debit takes from if that is paid money alone, $7 when a credit expires, in milliseconds since the epoch. Returns one row
 * with the `outcome`, the new balance, and the amount that was posted.
 */
export function postingStatement({ postAmount }: Tables): string {
  return `SELECT ${result} FROM ${postAmount}($1, $2, $3::bigint, $4, $5, $6, ${timestampOf("$7")})`;
}

/**
 * Refunds a charge. $1 account, $2 its sequence number, $3 the amount, NULL for all of it, $4 reason. Returns one row as
 * {@link postingStatement} does.
 */
export function refundStatement({ refundCharge }: Tables): string {
  return `SELECT ${result} FROM ${refundCharge}($1, $2::bigint, $3::bigint, $4)`;
}
