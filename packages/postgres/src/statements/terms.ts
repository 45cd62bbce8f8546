import { millisecondsOf } from "../row.ts";
import type { Tables } from "../schema.ts";

/**
 * Stores that account $1 accepted version $2. Returns the time of the first acceptance; the update without effect makes
 * RETURNING work for an existing row.
 */
export function acceptStatement({ termsAcceptance }: Tables): string {
  return `
INSERT INTO ${termsAcceptance} AS accepted (account_id, version_id) VALUES ($1, $2)
    ON CONFLICT (account_id, version_id) DO UPDATE SET accepted_at = accepted.accepted_at
RETURNING ${millisecondsOf("accepted_at")} AS accepted_at`;
}

/** Selects the first of the versions $2 that account $1 has accepted. */
export function acceptanceStatement({ termsAcceptance }: Tables): string {
  return `
SELECT version_id, ${millisecondsOf("accepted_at")} AS accepted_at
  FROM ${termsAcceptance} WHERE account_id = $1 AND version_id = ANY ($2::text[])
 ORDER BY array_position($2::text[], version_id) LIMIT 1`;
}
