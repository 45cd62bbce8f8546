import type { Awaitable } from "../runtime/awaitable.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { Feature } from "../wire/feature.ts";
import type { SpendLimit } from "./spend-limit.ts";

/** A limit per time window, which the first request opens. Whole numbers. */
export interface WindowLimit {
  readonly limit: number;
  /** Seconds, at most 604,800 (a week). Default: 60. */
  readonly windowSeconds?: number;
}

/** The limits of one key. An absent member means no limit. */
export interface Limits {
  readonly requests?: WindowLimit;
  readonly tokens?: WindowLimit;
  /** Maximum concurrent requests. */
  readonly concurrency?: number;
}

/** What a key may do: call models, and read the balance, the usage and the receipts of its account. */
export type KeyScope = "inference" | "account:read";

/** The scopes of {@link KeyScope}. */
export const keyScopes = ["inference", "account:read"] as const satisfies readonly KeyScope[];

/** True for the name of a scope. */
export const isKeyScope = (name: string): name is KeyScope => keyScopes.some((scope) => scope === name);

/** The record of an API key. It never contains the key itself. */
export interface ApiKey {
  readonly id: string;
  /** The account that pays and that accepts terms. */
  readonly account: string;
  /** The id of a plan in the options of `createGateway`. */
  readonly plan: string;
  readonly name?: string;
  /** The last four characters of the key, to distinguish keys in a list. */
  readonly lastFour: string;
  /** Public model ids that the key may use. Absent: all that its plan allows. */
  readonly models?: readonly string[];
  /** Features that the key may use. Absent: all that its plan allows. */
  readonly features?: readonly Feature[];
  /**
   * Dialects that the key may use, of those that its plan allows. Absent: all of these. Every key may list models, and use
   * the sessions of assistants, whose turns are not requests in a dialect.
   */
  readonly dialects?: readonly Dialect[];
  /** What the key may do. Absent: everything of {@link keyScopes}. */
  readonly scopes?: readonly KeyScope[];
  /** Each member overrides that of the plan. */
  readonly limits?: Limits;
  /** The most that this key may spend, within what its account may spend. */
  readonly spend?: SpendLimit;
  /** Labels that every usage row of the key carries. */
  readonly tags?: readonly string[];
  /** True: the content of its requests is stored, if the gateway has the option `content`. */
  readonly logContent?: boolean;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  /** A key with this member has ended, regardless of the date. */
  readonly revokedAt?: Date;
  /** The id of the key that this one replaces. */
  readonly rotatedFrom?: string;
  /**
   * The id by which the limits and the spend of this key are counted: that of the first key of a chain of rotations. Absent:
   * its own.
   */
  readonly limitsId?: string;
}

/** Port: finds keys, by what a client presents or by their ids. It is read-only. */
export interface KeyStore {
  /**
   * Finds a key by the text after `Bearer `, one token of 1 to 512 visible ASCII characters. Returns undefined for an
   * unknown key. Returns expired and revoked keys with their dates, which the gateway checks. Throws only for an outage,
   * which becomes 503. The gateway may call it repeatedly, and caches results for 30 s.
   */
  find(presented: string): Awaitable<ApiKey | undefined>;
  /**
   * Returns a key by its id, for charges that the host makes itself; undefined if the id does not exist. Returns expired and
   * revoked keys as `find` does. Throws only for an outage.
   */
  get(keyId: string): Awaitable<ApiKey | undefined>;
  /**
   * Calls the listener with the id of each key that is changed through this store, or with undefined when any key may have
   * changed. Returns a function that removes the listener. If keys never change, that function does nothing.
   */
  onChange(listener: (keyId: string | undefined) => void): () => void;
}
