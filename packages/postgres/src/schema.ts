/** The names of the tables in one schema, quoted for use in a statement. */
export interface Tables {
  /** The schema itself, not quoted. */
  readonly schema: string;
  readonly account: string;
  readonly hold: string;
  readonly entry: string;
  readonly spend: string;
  readonly notice: string;
  /** A function of triggers. */
  readonly writeNotices: string;
  /** A function of triggers. */
  readonly noteLowBalance: string;
  readonly apiKey: string;
  readonly termsAcceptance: string;
  readonly session: string;
  readonly sessionMessage: string;
  readonly sessionImages: string;
  readonly sessionLog: string;
  readonly sessionAccount: string;
  readonly response: string;
  readonly responseItem: string;
  readonly responseAccount: string;
  readonly audit: string;
  readonly usageRow: string;
  readonly usageRowDefault: string;
  readonly usageTotal: string;
  readonly usageAttempt: string;
  readonly requestWindow: string;
  readonly limitSubject: string;
  readonly limitReservation: string;
  /** A function. */
  readonly lockLimits: string;
  /** A function. */
  readonly reserveLimits: string;
  /** A function. */
  readonly settleLimits: string;
  readonly migration: string;
}

/** Returns the SQL of a statement for the tables of one schema. */
export type Statement = (tables: Tables) => string;

// The name of the notification channel contains the schema and must fit into the 63 bytes of an identifier.
const schemaShape = /^[A-Za-z_][A-Za-z0-9_]{0,47}$/;

/**
 * Returns the tables in the schema ("tollgate" by default). Throws a RangeError for a name that is not a plain
 * identifier.
 */
export function tablesIn(schema = "tollgate"): Tables {
  if (!schemaShape.test(schema)) {
    throw new RangeError(
      "The name of the schema must have 1 to 48 letters, digits or underscores and must not begin with a digit. Example: tollgate.",
    );
  }
  const table = (name: string) => `"${schema}".${name}`;
  return {
    schema,
    account: table("account"),
    hold: table("hold"),
    entry: table("entry"),
    spend: table("spend"),
    notice: table("notice"),
    writeNotices: table("write_notices"),
    noteLowBalance: table("note_low_balance"),
    apiKey: table("api_key"),
    termsAcceptance: table("terms_acceptance"),
    session: table("session"),
    sessionMessage: table("session_message"),
    sessionImages: table("session_images"),
    sessionLog: table("session_log"),
    sessionAccount: table("session_account"),
    response: table("response"),
    responseItem: table("response_item"),
    responseAccount: table("response_account"),
    audit: table("audit"),
    usageRow: table("usage_row"),
    usageRowDefault: table("usage_row_default"),
    usageTotal: table("usage_total"),
    usageAttempt: table("usage_attempt"),
    requestWindow: table("request_window"),
    limitSubject: table("limit_subject"),
    limitReservation: table("limit_reservation"),
    lockLimits: table("lock_limits"),
    reserveLimits: table("reserve_limits"),
    settleLimits: table("settle_limits"),
    migration: table("migration"),
  };
}

/** The channel on which the ids of changed keys are sent. */
export function keyChannel({ schema }: Tables): string {
  return `tollgate_keys_${schema}`;
}
