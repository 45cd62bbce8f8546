import type { AnswerAt } from "./operations.ts";

/** Who is signed in, and what the host has configured. */
export type Me = AnswerAt<"GET", "/me">;

/** The account with its balance. */
export type Account = AnswerAt<"GET", "/account">;

/** A key without its secret. */
export type OwnKey = AnswerAt<"GET", "/keys">["data"][number];

/** A key with what it has spent. */
export type OwnKeyDetail = AnswerAt<"GET", "/keys/:id">;

/** A key with its secret, which is shown only once. */
export type CreatedKey = AnswerAt<"POST", "/keys">;

/** A finished request. */
export type OwnRequest = AnswerAt<"GET", "/requests">["data"][number];

/** A request with its receipts. */
export type OwnRequestDetail = AnswerAt<"GET", "/requests/:id">;

/** An entry of the ledger. */
export type OwnEntry = AnswerAt<"GET", "/entries">["data"][number];

/** Sums of usage. */
export type OwnUsage = AnswerAt<"GET", "/usage">;

/** Which notices the account wants, and what can be chosen. */
export type OwnNotices = AnswerAt<"GET", "/notices">;

/** A version of the terms. */
export type OwnTerms = AnswerAt<"GET", "/terms">["data"][number];
