import type { Awaitable } from "../runtime/awaitable.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { Feature } from "../wire/feature.ts";
import type { ApiKey, KeyScope, Limits } from "./key-store.ts";
import type { NewSpendLimit } from "./spend-limit.ts";

/** The properties of a new key. Absent members have the meaning as in {@link ApiKey}. */
export interface NewKey {
  readonly account: string;
  readonly plan: string;
  readonly name?: string;
  readonly models?: readonly string[];
  readonly features?: readonly Feature[];
  readonly dialects?: readonly Dialect[];
  readonly scopes?: readonly KeyScope[];
  readonly limits?: Limits;
  readonly spend?: NewSpendLimit;
  readonly tags?: readonly string[];
  readonly logContent?: boolean;
  readonly expiresAt?: Date;
}

/** Changes of a key. An absent member stays as it is; null removes it, with the meaning of an absent one in {@link ApiKey}. */
export type KeyChanges = {
  readonly [Name in Exclude<keyof NewKey, "account" | "plan">]?: NewKey[Name] | null;
};

/** Whether a key is valid now, and if not, why. A revoked key that has also expired is "revoked". */
export type KeyState = "active" | "expired" | "revoked";

/** The keys to list. An absent filter selects all. */
export interface KeyQuery {
  readonly account?: string;
  /** The state by the clock of the store. */
  readonly state?: KeyState;
  /** A part of the id, the name or the last four characters, ignoring the case of the letters A to Z. */
  readonly search?: string;
  readonly limit: number;
  /** The id of the last key of the page before. */
  readonly after?: string;
}

/** A new key. `secret` is the only copy: stores keep a digest, and cannot return it again. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** One page of keys, oldest first; `next` is absent on the last page. */
export interface KeyPage {
  readonly keys: readonly ApiKey[];
  readonly next?: string;
}

/** An account that has keys. */
export interface AccountPlans {
  readonly id: string;
  /** The plans of its active keys, each once, that of the newest key first. */
  readonly plans: readonly string[];
}

/**
 * Port: creates and ends keys. Every change is durable when it resolves, and is reported to the listeners of the same
 * store's `KeyStore.onChange`. A method throws only for an outage, and `create` and `update` also for invalid members.
 */
export interface KeyAdmin {
  /**
   * Creates a key. Throws a RangeError, as a bug of the caller, for limits that are not whole numbers from 1 or whose window
   * is too long, for a spend limit that is a number, negative or whose time zone is unknown, for more than 16 tags or a tag
   * that does not have 1 to 64 characters, without an account or a plan, and for a member that is not known.
   */
  create(wanted: NewKey): Awaitable<IssuedKey>;
  /**
   * Creates a key unless its account has `most` active keys in the plan of the key; undefined then. Atomic: of concurrent calls, as
   * many create a key as there is room for. Throws as `create` does.
   */
  createWithin(wanted: NewKey, most: number): Awaitable<IssuedKey | undefined>;
  /** Returns a key; undefined if the id does not exist. */
  get(keyId: string): Awaitable<ApiKey | undefined>;
  /** Returns the keys that match, oldest first. */
  list(query: KeyQuery): Awaitable<KeyPage>;
  /**
   * Returns at most `limit` accounts that have keys, in the order of their ids, compared by bytes: those after an id, and
   * those that begin with the prefix.
   */
  accountsWithKeys(query: {
    readonly limit: number;
    readonly after?: string;
    readonly prefix?: string;
  }): Awaitable<readonly AccountPlans[]>;
  /**
   * Changes members of a key, all or none of them; undefined if the id does not exist. Of concurrent changes of different
   * members, all take effect. Throws as `create` does. A later `expiresAt` makes an expired key valid again; a revoked key
   * stays revoked.
   */
  update(keyId: string, changes: KeyChanges): Awaitable<ApiKey | undefined>;
  /** Revokes a key at once; undefined if the id does not exist. Idempotent: it keeps the first date. */
  revoke(keyId: string): Awaitable<ApiKey | undefined>;
  /**
   * Creates a key with the same rights, and sets the end of the old one to `graceMs` from now (0: at once), unless it ends
   * sooner. Returns undefined if the id does not exist or the key has ended.
   */
  rotate(keyId: string, options: { readonly graceMs: number }): Awaitable<IssuedKey | undefined>;
}
