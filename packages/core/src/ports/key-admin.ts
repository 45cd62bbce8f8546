import type { Awaitable } from "../runtime/awaitable.ts";
import type { Feature } from "../wire/feature.ts";
import type { ApiKey, Limits } from "./key-store.ts";

/** What a new key is to be; absent members as in {@link ApiKey}. */
export interface NewKey {
  readonly account: string;
  readonly plan: string;
  readonly name?: string;
  readonly models?: readonly string[];
  readonly features?: readonly Feature[];
  readonly limits?: Limits;
  readonly expiresAt?: Date;
}

/** A key just made. `secret` is the only copy: no store keeps it, none can show it again. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** One page of keys, oldest first; `next` is absent on the last page. */
export interface KeyPage {
  readonly keys: readonly ApiKey[];
  readonly next?: string;
}

/**
 * Port: makes and ends keys. Every change is durable when it answers and is told to the listeners of the
 * same store's `KeyStore.onChange`.
 *
 * `create` throws a RangeError for limits that are no whole numbers from 1 or whose window is too long, as a bug of
 * the caller, and makes nothing. `revoke` is idempotent and keeps the first date. `rotate` makes a key with the same
 * rights at once and gives the old one an end date `graceMs` from now (0: at once), unless it ends sooner. Both give
 * undefined for an id that does not exist; `rotate` also for a key that has already ended. They throw for an outage
 * only.
 */
export interface KeyAdmin {
  create(wanted: NewKey): Awaitable<IssuedKey>;
  list(query: { readonly account?: string; readonly limit: number; readonly after?: string }): Awaitable<KeyPage>;
  revoke(keyId: string): Awaitable<ApiKey | undefined>;
  rotate(keyId: string, options: { readonly graceMs: number }): Awaitable<IssuedKey | undefined>;
}
