import type { Awaitable } from "../runtime/awaitable.ts";

/** One version of the terms, as the host publishes it; the order of the list is the order of publication. */
export interface TermsVersion {
  readonly id: string;
  readonly version: string;
  /** From when it must be accepted; absent: at once. */
  readonly enforcementAt?: Date;
  /** Where a person accepts it. */
  readonly acceptUrl: string;
}

/** That an account accepted a version, and when it first did. */
export interface TermsAcceptance {
  readonly account: string;
  readonly versionId: string;
  readonly acceptedAt: Date;
}

/**
 * Port: remembers which versions of the terms an account has accepted.
 *
 * `accept` is idempotent and keeps the first date; it is durable when it answers. `acceptance` gives any
 * acceptance of one of the versions, or undefined: an account that the store never saw has accepted none.
 * Both throw for an outage only; the gateway answers 503 and does not retry.
 */
export interface TermsStore {
  accept(account: string, versionId: string): Awaitable<TermsAcceptance>;
  acceptance(account: string, versionIds: readonly string[]): Awaitable<TermsAcceptance | undefined>;
}
