import type { Tables } from "../schema.ts";

/** What a hold is checked against besides the balance. */
export interface Checks {
  readonly key: boolean;
  readonly terms: boolean;
}

/**
 * Selects the ids of those keys of account $1, among the ids given, that are good now. They stay locked against change
 * until the hold is done, so that a revocation which has answered is followed by no hold: the statement's snapshot may
 * be older than the revocation, but a locked row is always read as it is. Unchecked, every key is good.
 */
export function goodKeys({ apiKey }: Tables, checks: Checks, ids: string): string {
  if (!checks.key) return ids;
  // Joined with the account so that its lock comes first: the lock of a key then never has two owners, which would
  // cost the server a record of both.
  return `SELECT api_key.id FROM ${apiKey} AS api_key LEFT JOIN locked_account ON true
     WHERE api_key.id IN (${ids}) AND api_key.account_id = $1
       AND api_key.revoked_at IS NULL
       AND (api_key.expires_at IS NULL OR api_key.expires_at > clock_timestamp())
       FOR SHARE OF api_key`;
}

/** A condition: account $1 has accepted one of the versions in a JSON array, or none is asked for. */
export function termsAccepted({ termsAcceptance }: Tables, checks: Checks, versions: string): string {
  // Named all the same: a statement must use every parameter that it is given.
  if (!checks.terms) return `${versions} IS NOT NULL`;
  return `(${versions} = '[]' OR EXISTS (
     SELECT 1 FROM ${termsAcceptance} AS accepted
      WHERE accepted.account_id = $1 AND ${versions} ? accepted.version_id))`;
}
