import type { Tables } from "../schema.ts";

/** What a hold checks besides the balance. */
export interface Checks {
  readonly key: boolean;
  readonly terms: boolean;
}

/**
 * Selects the valid keys of account $1 among the given ids. The keys stay locked until the hold commits, so that no
 * hold succeeds after a revocation has returned: the statement's snapshot can be older than the revocation, but locking
 * a row reads its current version. Without the check, every key is valid.
 */
export function goodKeys({ apiKey }: Tables, checks: Checks, ids: string): string {
  if (!checks.key) return ids;
  // Joined with the account so that the account is locked first. Then no two transactions share the lock of a key, for
  // which the server would have to create a multixact.
  return `SELECT api_key.id FROM ${apiKey} AS api_key LEFT JOIN locked_account ON true
     WHERE api_key.id IN (${ids}) AND api_key.account_id = $1
       AND api_key.revoked_at IS NULL
       AND (api_key.expires_at IS NULL OR api_key.expires_at > clock_timestamp())
       FOR SHARE OF api_key`;
}

/** A condition: account $1 has accepted one of the versions in a JSON array, or the array is empty. */
export function termsAccepted({ termsAcceptance }: Tables, checks: Checks, versions: string): string {
  // The parameter must occur in the statement even when it is not checked.
  if (!checks.terms) return `${versions} IS NOT NULL`;
  return `(${versions} = '[]' OR EXISTS (
     SELECT 1 FROM ${termsAcceptance} AS accepted
      WHERE accepted.account_id = $1 AND ${versions} ? accepted.version_id))`;
}
