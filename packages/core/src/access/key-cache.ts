import { LRUCache } from "lru-cache";
import { messageOf } from "../options/problems.ts";
import { callStoreWithTimeout, storeUnavailable } from "../ports/call-store-with-timeout.ts";
import type { ApiKey, KeyStore } from "../ports/key-store.ts";
import { atMost } from "../runtime/at-most.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { toHex } from "../wire/hmac.ts";
import { nodeCrypto } from "../wire/platform.ts";
import type { Client, FailedKeys } from "./limits/failed-keys.ts";
import { hasEnded } from "./rotation.ts";

const known = atMost(50_000, 30_000);
// Separate from known keys, so that a flood of invalid keys cannot evict valid ones.
const unknown = atMost(10_000, 5_000);
// Kept for longer than the keys.
const seen = { ...atMost(100_000, 86_400_000), perf: { now: () => Date.now() } };

/**
 * Caches the answers of a KeyStore by the digest of the whole key. Concurrent look-ups of one key share one call. A key
 * that changes during its look-up is looked up again, so the cache holds no stale answer.
 */
export class KeyCache {
  readonly #store: KeyStore;
  readonly #timeoutMs: number;
  readonly #guard: Pick<FailedKeys, "lookUp" | "refuseGuess">;
  readonly #known = new LRUCache<string, ApiKey>({
    ...known,
    dispose: (key, digest) => this.#removeDigest(key.id, digest),
  });
  /** The digests of known keys by key id, so that a change need not search the whole cache. */
  readonly #digests = new Map<string, readonly string[]>();
  readonly #unknown = new LRUCache<string, true>(unknown);
  /** Digests of keys that were valid here within a day. Such a key is looked up again, but without the guard. */
  readonly #seen = new LRUCache<string, true>(seen);
  readonly #loading = new Map<string, Promise<ApiKey | undefined>>();
  /** For each running look-up, the ids of the keys that changed since it began; undefined stands for any key. */
  readonly #changed = new Set<Set<string | undefined>>();

  /** `guard` limits the look-ups of a client for keys that were not valid within the last day. */
  constructor(store: KeyStore, timeoutMs: number, guard: Pick<FailedKeys, "lookUp" | "refuseGuess">) {
    this.#store = store;
    this.#timeoutMs = timeoutMs;
    this.#guard = guard;
    store.onChange((keyId) => this.#forget(keyId));
  }

  /** Returns the key that a client presents, synchronously from the cache. Throws the errors of the guard. */
  find(presented: string, client: Client): Awaitable<ApiKey | undefined> {
    const digest = digestKey(presented);
    return typeof digest === "string"
      ? this.#findByDigest(digest, presented, client)
      : digest.then((d) => this.#findByDigest(d, presented, client));
  }

  /** Returns a key by its id, which is read from the store. Throws or rejects with 503 for an outage. */
  async get(keyId: string): Promise<ApiKey | undefined> {
    // A store written in JavaScript may return null.
    return (await callStoreWithTimeout(this.#timeoutMs, () => this.#store.get(keyId), isKeyOrNone)) ?? undefined;
  }

  #findByDigest(digest: string, presented: string, client: Client): Awaitable<ApiKey | undefined> {
    const key = this.#known.get(digest);
    if (key !== undefined) return key;
    if (this.#seen.has(digest)) return this.#lookUp(digest, presented);
    if (!this.#unknown.has(digest)) return this.#guard.lookUp(client, () => this.#lookUp(digest, presented));
    this.#guard.refuseGuess(client);
    return undefined;
  }

  #lookUp(digest: string, presented: string): Promise<ApiKey | undefined> {
    const running = this.#loading.get(digest);
    if (running !== undefined) return running;
    const loading = this.#load(digest, presented).finally(() => this.#loading.delete(digest));
    this.#loading.set(digest, loading);
    return loading;
  }

  async #load(digest: string, presented: string): Promise<ApiKey | undefined> {
    for (;;) {
      const changed = new Set<string | undefined>();
      this.#changed.add(changed);
      const key = await this.#ask(presented).finally(() => this.#changed.delete(changed));
      // A change of another key needs no second look-up, which might never end while many keys are created.
      if (changed.has(undefined) || (key !== undefined && changed.has(key.id))) continue;
      if (key !== undefined) this.#add(digest, key);
      else if (changed.size === 0) this.#unknown.set(digest, true);
      return key;
    }
  }

  async #ask(presented: string): Promise<ApiKey | undefined> {
    try {
      // A store written in JavaScript may return null.
      return (await callStoreWithTimeout(this.#timeoutMs, () => this.#store.find(presented), isKeyOrNone)) ?? undefined;
    } catch (outage) {
      throw storeUnavailable(withoutKey(outage, presented));
    }
  }

  #add(digest: string, key: ApiKey): void {
    this.#known.set(digest, key);
    if (!hasEnded(key)) this.#seen.set(digest, true);
    this.#digests.set(key.id, [...(this.#digests.get(key.id) ?? []), digest]);
  }

  #removeDigest(keyId: string, digest: string): void {
    const others = this.#digests.get(keyId)?.filter((each) => each !== digest) ?? [];
    if (others.length === 0) this.#digests.delete(keyId);
    else this.#digests.set(keyId, others);
  }

  #forget(keyId: string | undefined): void {
    for (const changed of this.#changed) changed.add(keyId);
    this.#unknown.clear();
    if (keyId === undefined) this.#known.clear();
    else for (const digest of this.#digests.get(keyId) ?? []) this.#known.delete(digest);
  }
}

const isKeyOrNone = (key: ApiKey | undefined): boolean =>
  key == null || [key.id, key.account, key.plan].every((member) => typeof member === "string");

/** The store's error without the key: database clients quote the parameters of a failed statement in their messages. */
function withoutKey(outage: unknown, presented: string): Error {
  const cause = outage instanceof Error ? outage.cause : undefined;
  return new Error(`The key store failed: ${messageOf(cause).replaceAll(presented, "[API key]")}`);
}

/** Returns the SHA-256 of a key in hex, synchronously on Node and as a promise elsewhere. */
export const digestKey = (text: string): Awaitable<string> =>
  nodeCrypto === undefined ? webSha256(text) : nodeCrypto.hash("sha256", text, "hex");

async function webSha256(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
