import type {
  AnswerOf,
  ItemOf,
  listAcceptances,
  listAudit,
  listModels,
  listTerms,
  showHealth,
} from "@tollgate/management/operations";
import type { Shown } from "./common.ts";

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

/** A circuit breaker that is not closed, with the last failure that opened it or kept it open. */
export type OpenBreaker = Health["breakers"][number];

/** A change that an operator made. */
export type AuditEntry = Shown<ItemOf<typeof listAudit>>;

/** The answer of GET terms. */
export type Terms = Shown<AnswerOf<typeof listTerms>>;

/** A version of the terms. */
export type TermsVersion = Terms["data"][number];

/** The acceptance of a version by an account. */
export type Acceptance = Shown<ItemOf<typeof listAcceptances>>;
