import type { usageDimensions } from "@tollgate/management/operations";
import type { Charge, RequestRow } from "@tollgate/page-kit/api/answers.ts";
import type { AnswerAt, BodyAt } from "./operations.ts";

export type {
  Bucket,
  Charge,
  Key,
  LedgerEntry,
  Plan,
  RequestRow,
  SpendLimit,
} from "@tollgate/page-kit/api/answers.ts";

/** Who is signed in, and what the host serves. */
export type Me = AnswerAt<"GET", "/me">;

/** What a signed-in person may do; each role includes the ones before. */
export type Role = Me["role"];

/** The answer of GET keys/{id}. */
export type KeyDetail = AnswerAt<"GET", "/keys/:id">;

/** A key with its secret, which is shown only once. */
export type CreatedKey = AnswerAt<"POST", "/keys">;

/** The body of POST keys. */
export type NewKey = BodyAt<"POST", "/keys">;

/** An account with its balance. `billed` is false if none of its plans has billing, so that the balance does not matter. */
export type Account = AnswerAt<"GET", "/accounts">["data"][number];

/** The answer of GET accounts/{id}. */
export type AccountDetail = AnswerAt<"GET", "/accounts/:id">;

/** The answer of POST ledger/verify. */
export type LedgerVerdict = AnswerAt<"POST", "/ledger/verify">;

/** The dimensions by which usage can be grouped. */
export type Dimension = (typeof usageDimensions)[number];

/** The sums of one group in one bucket. Latencies are in milliseconds, and null without requests. */
export type UsageRow = Usage["data"][number];

/** The answer of GET usage. */
export type Usage = AnswerAt<"GET", "/usage">;

/** A step of a request; `at` is in milliseconds from its start. */
export type TimelineStep = RequestRow["timeline"][number];

/** The answer of GET requests/{id}. `content` is null when content logging is off or the role may not read it. */
export type RequestDetail = AnswerAt<"GET", "/requests/:id">;

/**
 * A model that the host configures, with its requests of the last 24 hours. Shares are 0 to 1, and null without requests;
 * the other counts are null if the host stores no usage.
 */
export type Model = AnswerAt<"GET", "/models">["data"][number];

/** A target of a model with the state of its upstream and the attempts of the last 24 hours. */
export type ModelTarget = Model["targets"][number];

/** Prices of one million tokens by class, and of one request: those that apply now, and the lists that follow. */
export type PriceList = Model["price"];

/** The prices of one tier. */
export type Rates = Charge["prices"];

/** The answer of POST prices/what-if. */
export type WhatIf = AnswerAt<"POST", "/prices/what-if">;

/** The answer of GET health. */
export type Health = AnswerAt<"GET", "/health">;

/** A change that an operator made. */
export type AuditEntry = AnswerAt<"GET", "/audit">["data"][number];

/** The answer of GET terms. */
export type Terms = AnswerAt<"GET", "/terms">;

/** A version of the terms. */
export type TermsVersion = Terms["data"][number];

/** An assistant that the host configures. Secrets are shown as their names. */
export type Assistant = AnswerAt<"GET", "/assistants">["data"][number];

/** A trigger of an assistant. */
export type Trigger = Assistant["triggers"][number];

/** The answer of POST assistants/{id}/dry-run. */
export type DryRun = AnswerAt<"POST", "/assistants/:id/dry-run">;

/** A variable that a webhook used. A secret has no value. */
export type Variable = DryRun["variables"][number];

/** A session of an account with an assistant. */
export type Conversation = AnswerAt<"GET", "/conversations">["data"][number];

/** The answer of GET conversations/{id}. Viewers get no client data. */
export type ConversationDetail = AnswerAt<"GET", "/conversations/:id">;

/** A message as it is stored. */
export type StoredMessage = AnswerAt<"GET", "/conversations/:id/messages">["data"][number];

/** A log with its position in the session. */
export type StoredLog = AnswerAt<"GET", "/conversations/:id/logs">["data"][number];

/** The log of one webhook call. Times are in milliseconds. */
export type WebhookLog = StoredLog["log"];
