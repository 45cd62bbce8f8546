import type { Tables } from "../schema.ts";
import { unfenced } from "./fencing.ts";

/** A condition over a row of the account, in a statement that reads it: an amount is due to expire. */
export const isDue = (tables: Tables, account: string): string =>
  `(${account}.next_lapse <= clock_timestamp() AND ${account}.posted > ${account}.held AND ${unfenced(tables, `${account}.id`)})`;

/**
 * Prepares account $1 for a hold: lets expire what is due, and grants $2 as the allowance of the present window $3 in the time
 * zone $4, unless it was granted. $2 is NULL for none.
 */
export function prepareStatement({ prepareAccount }: Tables): string {
  return `SELECT FROM ${prepareAccount}($1, $2::bigint, $3, $4)`;
}

/** Lets expire what is due of the accounts $1. */
export function lapseStatement(tables: Tables): string {
  const { account, prepareAccount } = tables;
  return `
SELECT ${prepareAccount}(id, NULL, NULL, NULL)
  FROM (SELECT id FROM ${account} AS account WHERE id = ANY ($1::text[]) AND ${isDue(tables, "account")} ORDER BY id) AS due`;
}

/** Lets expire what is due of at most $1 accounts. They are locked in the order of their ids. */
export function lapseAllStatement(tables: Tables): string {
  const { account, prepareAccount } = tables;
  return `
SELECT ${prepareAccount}(id, NULL, NULL, NULL)
  FROM (SELECT id FROM ${account} AS account WHERE ${isDue(tables, "account")} ORDER BY id LIMIT $1::int) AS due`;
}
