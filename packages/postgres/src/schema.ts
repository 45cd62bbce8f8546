/** The names of the tables in one schema, quoted for use in a statement. */
export interface Tables {
  /** The schema itself, not quoted. */
  readonly schema: string;
  readonly account: string;
  readonly hold: string;
  readonly entry: string;
  readonly apiKey: string;
  readonly termsAcceptance: string;
  readonly session: string;
  readonly sessionMessage: string;
  readonly sessionImages: string;
  readonly sessionLog: string;
  readonly sessionAccount: string;
  readonly migration: string;
}

/** Makes the text of a statement for the tables of one schema. */
export type Statement = (tables: Tables) => string;

// Short enough that the channel named after it is an identifier as well: 63 bytes.
const schemaShape = /^[A-Za-z_][A-Za-z0-9_]{0,47}$/;

/** The tables in the schema, "tollgate" when absent; throws a RangeError for a name that is no plain identifier. */
export function tablesIn(schema = "tollgate"): Tables {
  if (!schemaShape.test(schema)) {
    throw new RangeError(
      "The schema must have 1 to 48 letters, digits or underscores and must not begin with a digit, such as tollgate.",
    );
  }
  const table = (name: string) => `"${schema}".${name}`;
  return {
    schema,
    account: table("account"),
    hold: table("hold"),
    entry: table("entry"),
    apiKey: table("api_key"),
    termsAcceptance: table("terms_acceptance"),
    session: table("session"),
    sessionMessage: table("session_message"),
    sessionImages: table("session_images"),
    sessionLog: table("session_log"),
    sessionAccount: table("session_account"),
    migration: table("migration"),
  };
}

/** The channel that is notified of the ids of keys that change. */
export function keyChannel({ schema }: Tables): string {
  return `tollgate_keys_${schema}`;
}
