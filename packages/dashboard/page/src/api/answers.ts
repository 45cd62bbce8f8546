import type {
  AnswerOf,
  BodyOf,
  createKey,
  creditAccount,
  dryRunTrigger,
  ItemOf,
  listAcceptances,
  listAccounts,
  listAssistants,
  listAudit,
  listConversations,
  listEntries,
  listKeys,
  listLogs,
  listMessages,
  listModels,
  listPlans,
  listRequests,
  listTerms,
  reportUsage,
  showAccount,
  showConversation,
  showHealth,
  showKey,
  showMe,
  showRequest,
  usageBuckets,
  usageDimensions,
  verifyLedger,
} from "@tollgate/management/operations";

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A value of an answer, which nothing changes. What no schema describes is any JSON. */
export type Shown<T> = unknown extends T
  ? Json
  : T extends readonly (infer Item)[]
    ? readonly Shown<Item>[]
    : T extends object
      ? keyof T extends never
        ? Json
        : { readonly [Name in keyof T]: Shown<T[Name]> }
      : T;

/** Who is signed in, and what the host serves. */
export type Me = Shown<AnswerOf<typeof showMe>>;

/** What a signed-in person may do; each role includes the ones before. */
export type Role = Me["role"];

/** One page of a list; `next` is null on the last page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly next: string | null;
}

/** Tokens by class. `input` contains the cached and cache-write tokens; `output` contains `reasoning`. */
export type Tokens = Shown<ItemOf<typeof listRequests>["tokens"]>;

/** An API key of an account, without its secret. Null members are those of its plan. */
export type Key = Shown<ItemOf<typeof listKeys>>;

/** The answer of GET keys/{id}. */
export type KeyDetail = Shown<AnswerOf<typeof showKey>>;

/** A key with its secret, which is shown only once. */
export type CreatedKey = Shown<AnswerOf<typeof createKey>>;

/** The body of POST keys. */
export type NewKey = Shown<BodyOf<typeof createKey>>;

/** A plan that the host configures. */
export type Plan = Shown<AnswerOf<typeof listPlans>>["data"][number];

/** An account with its balance. `billed` is false if none of its plans has billing, so that the balance does not matter. */
export type Account = Shown<ItemOf<typeof listAccounts>>;

/** The answer of GET accounts/{id}. */
export type AccountDetail = Shown<AnswerOf<typeof showAccount>>;

/** The result of a credit or debit. */
export type Posted = Shown<AnswerOf<typeof creditAccount>>;

/** An entry of an account's ledger. */
export type LedgerEntry = Shown<ItemOf<typeof listEntries>>;

/** How a charge was calculated. Prices are for one million tokens, and `request` for one request. */
export type Charge = NonNullable<NonNullable<LedgerEntry["receipt"]>["charge"]>;

/** The answer of POST ledger/verify. */
export type LedgerVerdict = Shown<AnswerOf<typeof verifyLedger>>;

/** The most that an account or key may spend in a window. */
export type SpendLimit = NonNullable<Key["spend"]>;

/** A spend limit with what was spent of it; that of an account with whether it is its own or that of its plan. */
export type SpendState = NonNullable<KeyDetail["spend_state"]> & Partial<Pick<NonNullable<Account["spend"]>, "source">>;

/** The dimensions by which usage can be grouped. */
export type Dimension = (typeof usageDimensions)[number];

/** The length of a bucket of a chart. Buckets begin at UTC borders. */
export type Bucket = Exclude<(typeof usageBuckets)[number], "all">;

/** The sums of one group in one bucket. Latencies are in milliseconds, and null without requests. */
export type UsageRow = Shown<ItemOf<typeof reportUsage>>;

/** The answer of GET usage. */
export interface Usage {
  readonly from: string;
  readonly to: string;
  readonly bucket: Bucket | "all";
  readonly group_by: Dimension | null;
  readonly data: readonly UsageRow[];
}

/** One finished request. `estimated` is true when the tokens are an estimate. */
export type RequestRow = Shown<ItemOf<typeof listRequests>>;

/** A step of a request; `at` is in milliseconds from its start. */
export type TimelineStep = RequestRow["timeline"][number];

/** The answer of GET requests/{id}. `content` is null when content logging is off or the role may not read it. */
export type RequestDetail = Shown<AnswerOf<typeof showRequest>>;

/**
 * A model that the host configures, with its requests of the last 24 hours. Shares are 0 to 1, and null without requests;
 * the other counts are null if the host stores no usage.
 */
export type Model = Shown<AnswerOf<typeof listModels>>["data"][number];

/** A target of a model with the state of its upstream and the attempts of the last 24 hours. */
export type ModelTarget = Model["targets"][number];

/** Prices of one million tokens by class, and of one request. */
export type PriceList = Model["price"];

/** The answer of GET health. */
export type Health = Shown<AnswerOf<typeof showHealth>>;

/** A change that an operator made. */
export type AuditEntry = Shown<ItemOf<typeof listAudit>>;

/** The answer of GET terms. */
export type Terms = Shown<AnswerOf<typeof listTerms>>;

/** A version of the terms. */
export type TermsVersion = Terms["data"][number];

/** The acceptance of a version by an account. */
export type Acceptance = Shown<ItemOf<typeof listAcceptances>>;

/** An assistant that the host configures. Secrets are shown as their names. */
export type Assistant = Shown<AnswerOf<typeof listAssistants>>["data"][number];

/** A trigger of an assistant. */
export type Trigger = Assistant["triggers"][number];

/** The answer of POST assistants/{id}/dry-run. */
export type DryRun = Shown<AnswerOf<typeof dryRunTrigger>>;

/** A variable that a webhook used. A secret has no value. */
export type Variable = DryRun["variables"][number];

/** A session of an account with an assistant. */
export type Conversation = Shown<ItemOf<typeof listConversations>>;

/** The answer of GET conversations/{id}. Viewers get no client data. */
export type ConversationDetail = Shown<AnswerOf<typeof showConversation>>;

/** A message as it is stored. */
export type StoredMessage = Shown<ItemOf<typeof listMessages>>;

/** A log with its position in the session. */
export type StoredLog = Shown<ItemOf<typeof listLogs>>;

/** The log of one webhook call. Times are in milliseconds. */
export type WebhookLog = StoredLog["log"];
