import { LRUCache } from "lru-cache";
import { messageOf } from "../options/message-of.ts";
import { callStoreWithTimeout, storeUnavailable } from "../ports/call-store-with-timeout.ts";
import type { ApiKey, KeyStore } from "../ports/key-store.ts";
import type { Client, LookUpGuard } from "../ports/look-up-guard.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { digestKey } from "./digest.ts";

// The cache reads its clock again after so many milliseconds, by a timer; after one, under load it would always run one.
const ttlResolution = 100;
const known = { max: 50_000, ttl: 30_000 - ttlResolution, ttlResolution };
// Apart from the keys that are known, so that a flood of junk cannot push good keys out.
const unknown = { max: 10_000, ttl: 5_000 - ttlResolution, ttlResolution };

// Apart from their values, which expire soon. Without `max`, which would make room for all of them at once.
const seen = {
  maxSize: 100_000,
  sizeCalculation: () => 1,
  ttl: 86_400_000,
  ttlResolution: 0,
  perf: { now: () => Date.now() },
};

/**
 * The KeyStore with its answers kept for a while, by the digest of the whole key. Look-ups of one key at the same
 * time are one; a key that changes while it is being looked up is looked up again, so no stale answer is kept.
 */
export class KeyCache {
  readonly #store: KeyStore;
  readonly #timeoutMs: number;
  readonly #guard: LookUpGuard;
  readonly #known = new LRUCache<string, ApiKey>({ ...known, dispose: (key, digest) => this.#unlist(key.id, digest) });
  /** The digests of the known keys by the ids of the keys: a change must not have to look through all of them. */
  readonly #digests = new Map<string, readonly string[]>();
  readonly #unknown = new LRUCache<string, true>(unknown);
  /** Digests of keys that were good here within a day. They prove nothing: such a key is looked up without the guard. */
  readonly #seen = new LRUCache<string, true>(seen);
  readonly #loading = new Map<string, Promise<ApiKey | undefined>>();
  /** For each look-up that is under way, the ids of the keys that have changed since; undefined: any may have. */
  readonly #changed = new Set<Set<string | undefined>>();

  constructor(store: KeyStore, timeoutMs: number, guard: LookUpGuard) {
    this.#store = store;
    this.#timeoutMs = timeoutMs;
    this.#guard = guard;
    store.onChange((keyId) => this.#forget(keyId));
  }

  /** The key that a client presents; at once when it is in the cache. Throws what the guard throws. */
  find(presented: string, client: Client): Awaitable<ApiKey | undefined> {
    const digest = digestKey(presented);
    return typeof digest === "string"
      ? this.#findByDigest(digest, presented, client)
      : digest.then((d) => this.#findByDigest(d, presented, client));
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
      // Changes of other keys are no reason to look again: while many are made, that would never end.
      if (changed.has(undefined) || (key !== undefined && changed.has(key.id))) continue;
      if (key !== undefined) this.#keep(digest, key);
      else if (changed.size === 0) this.#unknown.set(digest, true);
      return key;
    }
  }

  async #ask(presented: string): Promise<ApiKey | undefined> {
    try {
      // A store without types may say null for none.
      return (await callStoreWithTimeout(this.#timeoutMs, () => this.#store.find(presented), isKeyOrNone)) ?? undefined;
    } catch (outage) {
      throw storeUnavailable(withoutKey(outage, presented));
    }
  }

  #keep(digest: string, key: ApiKey): void {
    this.#known.set(digest, key);
    if (isAlive(key)) this.#seen.set(digest, true);
    this.#digests.set(key.id, [...(this.#digests.get(key.id) ?? []), digest]);
  }

  #unlist(keyId: string, digest: string): void {
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

const isAlive = ({ revokedAt, expiresAt }: ApiKey): boolean =>
  revokedAt === undefined && (expiresAt === undefined || expiresAt.getTime() > Date.now());

const isKeyOrNone = (key: ApiKey | undefined): boolean =>
  key == null || [key.id, key.account, key.plan].every((member) => typeof member === "string");

/** Why a store failed, in its words alone: database clients quote the parameters of a statement that failed. */
function withoutKey(outage: unknown, presented: string): Error {
  const cause = outage instanceof Error ? outage.cause : undefined;
  const words = messageOf(cause);
  return new Error(`The key store failed: ${words.replaceAll(presented, "[API key]")}`);
}
