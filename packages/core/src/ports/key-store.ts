import type { Awaitable } from "../runtime/awaitable.ts";
import type { Feature } from "../wire/feature.ts";

/** An allowance for a window of time that the first request opens. Whole numbers. */
export interface WindowLimit {
  readonly limit: number;
  /** Seconds; 60 when absent, at most 604,800 (a week). */
  readonly windowSeconds?: number;
}

/** What one key may use; an absent member is no limit. */
export interface Limits {
  readonly requests?: WindowLimit;
  readonly tokens?: WindowLimit;
  /** Requests that may run at the same time. */
  readonly concurrency?: number;
}

/** An API key as its store knows it. The key itself is never in it. */
export interface ApiKey {
  readonly id: string;
  /** The account that pays and that accepts terms. */
  readonly account: string;
  /** The id of a plan given to `createGateway`. */
  readonly plan: string;
  readonly name?: string;
  /** The last four characters of the key, to tell keys apart in a list. */
  readonly lastFour: string;
  /** Public model ids that the key may use; absent: all that its plan may use. */
  readonly models?: readonly string[];
  /** Features that the key may use; absent: all that its plan may use. */
  readonly features?: readonly Feature[];
  /** Each member given here takes the place of the plan's. */
  readonly limits?: Limits;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  /** A key with this date has ended, whatever the date. */
  readonly revokedAt?: Date;
  /** The id of the key that this one replaces. */
  readonly rotatedFrom?: string;
}

/**
 * Port: finds the key that a client presents.
 *
 * `find` receives the text after `Bearer `: one token of 1 to 512 visible ASCII characters. It gives
 * undefined for a key that it does not know, and also gives keys that have expired or were revoked, with
 * their dates: the gateway says which. It throws only for an outage, which the gateway answers with 503.
 * It is read-only, so the gateway may ask again at any time; answers are cached for 30 s.
 *
 * `onChange` calls the listener with the id of each key that was changed through this store, or with
 * undefined when any key may have changed. It gives back the function that ends it. A store that is never
 * changed while it is in use gives back a function that does nothing.
 */
export interface KeyStore {
  find(presented: string): Awaitable<ApiKey | undefined>;
  onChange(listener: (keyId: string | undefined) => void): () => void;
}
