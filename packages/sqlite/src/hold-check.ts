import type { HoldRequest } from "@tollgate/core/store";
import { AcceptanceRows } from "./acceptance-rows.ts";
import type { Connection } from "./connection.ts";

/** What the transaction of a hold checks besides the balance. */
export interface HoldCheckOptions {
  /**
   * Set to true when the keys are in this database: a hold whose key has ended or belongs to another account is
   * refused. A hold without a key, for a charge of the host, is not. The default is false.
   */
  readonly checkKeys?: boolean;
  /**
   * Set to true when acceptances of terms are in this database: a hold that requires terms is refused without one. The
   * default is false.
   */
  readonly checkTerms?: boolean;
}

/** Returns why a hold is refused regardless of the balance, or undefined. */
export type HoldCheck = (request: HoldRequest) => "key_refused" | "terms_refused" | undefined;

/** Creates the check that the options select. */
export function holdCheck(connection: Connection, { checkKeys, checkTerms }: HoldCheckOptions): HoldCheck {
  const isKeyValid = checkKeys === true ? keyTest(connection) : always;
  const areTermsAccepted = checkTerms === true ? termsTest(connection) : always;
  return (request) => {
    if (!isKeyValid(request)) return "key_refused";
    return areTermsAccepted(request) ? undefined : "terms_refused";
  };
}

type Test = (request: HoldRequest) => boolean;

const always: Test = () => true;

function keyTest(connection: Connection): Test {
  const found = connection.query(
    `SELECT 1 FROM tollgate_key
      WHERE id = ? AND account = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
    () => true,
  );
  return ({ keyId, account }) => keyId === undefined || found.first(keyId, account, Date.now()) === true;
}

function termsTest(connection: Connection): Test {
  const acceptances = new AcceptanceRows(connection);
  return ({ account, terms }) => terms.length === 0 || acceptances.firstAccepted(account, terms) !== undefined;
}
