import type { HoldRequest } from "@tollgate/core/store";
import { AcceptanceRows } from "./acceptance-rows.ts";
import type { Connection } from "./connection.ts";

/** What a hold is checked against in its own transaction. */
export interface HoldCheckOptions {
  /** True when the keys are in this database: a hold with a key that has ended, or of another account, is refused. False when absent. */
  readonly checkKeys?: boolean;
  /** True when acceptances of terms are in this database: a hold that asks for terms is refused without one. False when absent. */
  readonly checkTerms?: boolean;
}

/** Why a hold is refused whatever the account has; undefined when it is not. */
export type HoldCheck = (request: HoldRequest) => "key_refused" | "terms_refused" | undefined;

/** Makes the check that the options ask for. */
export function holdCheck(connection: Connection, { checkKeys, checkTerms }: HoldCheckOptions): HoldCheck {
  const keyIsGood = checkKeys === true ? goodKey(connection) : always;
  const termsAreAccepted = checkTerms === true ? acceptedTerms(connection) : always;
  return (request) => {
    if (!keyIsGood(request)) return "key_refused";
    return termsAreAccepted(request) ? undefined : "terms_refused";
  };
}

type Test = (request: HoldRequest) => boolean;

const always: Test = () => true;

function goodKey(connection: Connection): Test {
  const found = connection.query(
    `SELECT 1 FROM tollgate_key
      WHERE id = ? AND account = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
    () => true,
  );
  return ({ keyId, account }) => found.first(keyId, account, Date.now()) === true;
}

function acceptedTerms(connection: Connection): Test {
  const acceptances = new AcceptanceRows(connection);
  return ({ account, terms }) => terms.length === 0 || acceptances.anyOf(account, terms) !== undefined;
}
