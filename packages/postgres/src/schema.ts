/** The names of the tables in one schema, quoted for use in a statement. */
export interface Tables extends ShardTables {
  /** The schema itself, not quoted. */
  readonly schema: string;
  /** Whether the database is a shard, which has tables of its own. */
  readonly isShard: boolean;
  readonly account: string;
  readonly hold: string;
  readonly entry: string;
  readonly spend: string;
  /** What is left of granted and expiring money. */
  readonly lot: string;
  readonly keyUsage: string;
  readonly notice: string;
  readonly outbox: string;
  /** A function of triggers. */
  readonly noteEntry: string;
  /** A function of triggers. */
  readonly noteFreeze: string;
  /** A function of triggers. */
  readonly writeNotices: string;
  /** A function of triggers. */
  readonly noteLowBalance: string;
  /** A function. */
  readonly lockAccount: string;
  /** A function. */
  readonly noteLots: string;
  /** A function. */
  readonly takeLots: string;
  /** A function. */
  readonly returnLots: string;
  /** A function. */
  readonly lapseLots: string;
  /** A function. */
  readonly allowanceWindow: string;
  /** A function. */
  readonly prepareAccount: string;
  /** A function. */
  readonly postAmount: string;
  /** A function. */
  readonly refundCharge: string;
  /** A function of triggers. */
  readonly completeEntry: string;
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
  readonly usageAccountTotal: string;
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
  readonly payment: string;
  /** Events whose payment is not known. */
  readonly paymentEvent: string;
  readonly topUp: string;
  readonly migration: string;
}

/** The names of the tables that directories and shards have in addition. */
interface ShardTables {
  /** The shards of a directory. */
  readonly directoryShard: string;
  /** The shard of each account. */
  readonly directoryAccount: string;
  /** The account of each key. */
  readonly directoryKey: string;
  /** The account of each credit and debit. */
  readonly directoryPosting: string;
  /** The moves of accounts that run. */
  readonly directoryMove: string;
  readonly directoryMigration: string;
  /** The accounts that must not be used in this shard. */
  readonly shardFence: string;
  /** The newest move of each account that was moved from or to this shard. */
  readonly shardMove: string;
  /** The name of this shard, in its only row. */
  readonly shardSelf: string;
  /** A function of triggers. */
  readonly refuseFenced: string;
  /** A function. */
  readonly numberRows: string;
  /** A function. */
  readonly raiseNumbers: string;
  readonly shardMigration: string;
}

/** Returns the SQL of a statement for the tables of one schema. */
export type Statement = (tables: Tables) => string;

// The name of the notification channel contains the schema and must fit into the 63 bytes of an identifier.
const schemaShape = /^[A-Za-z_][A-Za-z0-9_]{0,47}$/;

/**
 * Returns the tables in the schema ("tollgate" by default). Throws a RangeError for a name that is not a plain
 * identifier.
 */
export function tablesIn(schema = "tollgate", isShard = false): Tables {
  requireName(schema);
  const table = (name: string) => `"${schema}".${name}`;
  return {
    schema,
    isShard,
    account: table("account"),
    hold: table("hold"),
    entry: table("entry"),
    spend: table("spend"),
    lot: table("lot"),
    keyUsage: table("key_usage"),
    notice: table("notice"),
    outbox: table("outbox"),
    noteEntry: table("note_entry"),
    noteFreeze: table("note_freeze"),
    writeNotices: table("write_notices"),
    noteLowBalance: table("note_low_balance"),
    lockAccount: table("lock_account"),
    noteLots: table("note_lots"),
    takeLots: table("take_lots"),
    returnLots: table("return_lots"),
    lapseLots: table("lapse_lots"),
    allowanceWindow: table("allowance_window"),
    prepareAccount: table("prepare_account"),
    postAmount: table("post_amount"),
    refundCharge: table("refund_charge"),
    completeEntry: table("complete_entry"),
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
    usageAccountTotal: table("usage_account_total"),
    usageAttempt: table("usage_attempt"),
    requestWindow: table("request_window"),
    limitSubject: table("limit_subject"),
    limitReservation: table("limit_reservation"),
    lockLimits: table("lock_limits"),
    reserveLimits: table("reserve_limits"),
    settleLimits: table("settle_limits"),
    payment: table("payment"),
    paymentEvent: table("payment_event"),
    topUp: table("top_up"),
    migration: table("migration"),
    ...shardTablesIn(table),
  };
}

function requireName(schema: string): void {
  if (schemaShape.test(schema)) return;
  throw new RangeError(
    "The name of the schema must have 1 to 48 letters, digits or underscores and must not begin with a digit. Example: tollgate.",
  );
}

function shardTablesIn(table: (name: string) => string): ShardTables {
  return {
    directoryShard: table("directory_shard"),
    directoryAccount: table("directory_account"),
    directoryKey: table("directory_key"),
    directoryPosting: table("directory_posting"),
    directoryMove: table("directory_move"),
    directoryMigration: table("directory_migration"),
    shardFence: table("shard_fence"),
    shardMove: table("shard_move"),
    shardSelf: table("shard_self"),
    refuseFenced: table("refuse_fenced"),
    numberRows: table("number_rows"),
    raiseNumbers: table("raise_numbers"),
    shardMigration: table("shard_migration"),
  };
}

/** The channel on which the ids of changed keys are sent. */
export function keyChannel({ schema }: Tables): string {
  return `tollgate_keys_${schema}`;
}
