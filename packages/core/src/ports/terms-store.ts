import type { Awaitable } from "../runtime/awaitable.ts";

/** One published version of the terms. Lists of versions are in order of publication. */
export interface TermsVersion {
  readonly id: string;
  readonly version: string;
  /** The time from which it must be accepted. Absent: at once. */
  readonly enforcementAt?: Date;
  /** The page on which a person accepts it. */
  readonly acceptUrl: string;
}

/** The acceptance of a version by an account, with the date of the first one. */
export interface TermsAcceptance {
  readonly account: string;
  readonly versionId: string;
  readonly acceptedAt: Date;
}

/** Port: stores which versions of the terms an account has accepted. Methods throw only for an outage, which becomes 503 and is not retried. */
export interface TermsStore {
  /** Records an acceptance. Idempotent: it keeps the first date. Durable when it resolves. */
  accept(account: string, versionId: string): Awaitable<TermsAcceptance>;
  /** Returns an acceptance of any of the versions; undefined if there is none, as for an unknown account. */
  acceptance(account: string, versionIds: readonly string[]): Awaitable<TermsAcceptance | undefined>;
}
