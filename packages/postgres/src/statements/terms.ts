import type { Tables } from "../schema.ts";
import { millisecondsOf } from "./times.ts";

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

/**
 * Selects $5 acceptances in the order of their account and version, after those of account $3 and version $4 (null: from
 * the first). Null selects all: $1 the account, $2 the version.
 */
export function listAcceptancesStatement({ termsAcceptance }: Tables): string {
  return `
SELECT account_id, version_id, ${millisecondsOf("accepted_at")} AS accepted_at
  FROM ${termsAcceptance}
 WHERE ($1::text IS NULL OR account_id = $1) AND ($2::text IS NULL OR version_id = $2)
   AND ($3::text IS NULL OR (account_id, version_id) > ($3, $4))
 ORDER BY account_id, version_id LIMIT $5::bigint`;
}
