import { forgottenDescription } from "@tollgate/core/store";
import type { Tables } from "../schema.ts";

const forgotten = `description = '${forgottenDescription}', metadata = NULL`;

/** Locks account $1, so that none of its holds ends meanwhile. */
export function lockForgottenStatement({ account }: Tables): string {
  return `SELECT id FROM ${account} WHERE id = $1 FOR UPDATE`;
}

/**
 * Erases what the host wrote of at most 1,000 charges of account $1, which is locked, in its holds and in their entries.
 * Returns one row with the number of holds that it `changed`.
 */
export function forgetChargesStatement(tables: Tables): string {
  return forgetCharges(
    tables,
    `SELECT id FROM ${tables.hold} WHERE account_id = $1 AND description IS NOT NULL
     AND (description <> '${forgottenDescription}' OR metadata IS NOT NULL) LIMIT 1000`,
  );
}

/** Does so for the holds whose ids a query selects. */
export const forgetCharges = ({ hold, entry }: Tables, holds: string): string => `
WITH told AS MATERIALIZED (
  ${holds}
), of_entries AS (
  UPDATE ${entry} AS entry SET ${forgotten} FROM told
   WHERE entry.reference = told.id AND entry.kind IN ('charge', 'expiry', 'late')
), of_holds AS (
  UPDATE ${hold} AS hold SET ${forgotten} FROM told WHERE hold.id = told.id RETURNING 1
)
SELECT count(*)::text AS changed FROM of_holds`;

/** The migration that finds the holds of charges that the host made itself. */
export const describedHolds = ({ hold }: Tables): readonly string[] => [
  `CREATE INDEX hold_described ON ${hold} (account_id) WHERE description IS NOT NULL`,
];
