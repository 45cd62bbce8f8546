import { checkedPepper, digestKey } from "../keys/digest.ts";
import { checkedPrefix, generateKey, readKey } from "../keys/key-format.ts";
import type { Awaitable } from "../ports/awaitable.ts";
import type { IssuedKey, KeyAdmin, KeyPage, NewKey } from "../ports/key-admin.ts";
import type { ApiKey, KeyStore } from "../ports/key-store.ts";

/** How the keys of a store are made and kept. */
export interface KeyFormatOptions {
  /** What every key begins with; "tg" when absent. */
  readonly prefix?: string;
  /** A secret of the host, kept outside the store: without it a stolen store cannot even be searched for a known key. */
  readonly pepper?: string;
}

/**
 * A KeyStore and KeyAdmin in the memory of this process, for trying out and for tests; its keys are lost at exit.
 * It keeps digests only. On Node its look-up answers at once.
 */
export function memoryKeyStore(options: KeyFormatOptions = {}): KeyStore & KeyAdmin {
  return new MemoryKeyStore(options);
}

class MemoryKeyStore implements KeyStore, KeyAdmin {
  readonly #prefix: string;
  readonly #pepper: string | undefined;
  readonly #keys = new Map<string, ApiKey>();
  readonly #idByDigest = new Map<string, string>();
  readonly #listeners = new Set<{ readonly call: (keyId: string | undefined) => void }>();

  constructor(options: KeyFormatOptions) {
    this.#prefix = checkedPrefix(options.prefix ?? "tg");
    this.#pepper = checkedPepper(options.pepper);
  }

  find(presented: string): Awaitable<ApiKey | undefined> {
    if (readKey(presented, this.#prefix) === undefined) return undefined;
    const digest = digestKey(presented, this.#pepper);
    return typeof digest === "string" ? this.#byDigest(digest) : digest.then((late) => this.#byDigest(late));
  }

  onChange(listener: (keyId: string | undefined) => void): () => void {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  create(wanted: NewKey): Promise<IssuedKey> {
    return this.#issue(wanted);
  }

  list(query: { readonly account?: string; readonly limit: number; readonly after?: string }): KeyPage {
    const all = [...this.#keys.values()];
    const start = query.after === undefined ? 0 : all.findIndex((key) => key.id === query.after) + 1;
    const rest = all.slice(start).filter((key) => query.account === undefined || key.account === query.account);
    const keys = rest.slice(0, query.limit);
    const last = keys.at(-1);
    return rest.length > keys.length && last !== undefined ? { keys, next: last.id } : { keys };
  }

  revoke(keyId: string): ApiKey | undefined {
    const key = this.#keys.get(keyId);
    if (key === undefined || key.revokedAt !== undefined) return key;
    return this.#put({ ...key, revokedAt: new Date() });
  }

  async rotate(keyId: string, options: { readonly graceMs: number }): Promise<IssuedKey | undefined> {
    const key = this.#keys.get(keyId);
    if (key === undefined || hasEnded(key)) return undefined;
    const end = Date.now() + checkedGrace(options.graceMs);
    const expiresAt = new Date(Math.min(end, key.expiresAt?.getTime() ?? end));
    this.#put({ ...key, expiresAt });
    return this.#issue(key, { rotatedFrom: keyId });
  }

  async #issue(wanted: NewKey, origin: { readonly rotatedFrom?: string } = {}): Promise<IssuedKey> {
    const key = newApiKey(wanted, origin);
    const secret = generateKey(this.#prefix);
    this.#idByDigest.set(await digestKey(secret, this.#pepper), key.id);
    return { key: this.#put({ ...key, lastFour: secret.slice(-4) }), secret };
  }

  #byDigest(digest: string): ApiKey | undefined {
    const id = this.#idByDigest.get(digest);
    return id === undefined ? undefined : this.#keys.get(id);
  }

  #put(key: ApiKey): ApiKey {
    this.#keys.set(key.id, key);
    for (const listener of this.#listeners) listener.call(key.id);
    return key;
  }
}

function newApiKey(wanted: NewKey, origin: { readonly rotatedFrom?: string }): Omit<ApiKey, "lastFour"> {
  // Named one by one: a rotated key must not inherit the dates and the origin of the old one.
  const { account, plan, name, models, features, limits, expiresAt } = wanted;
  return structuredClone({
    id: crypto.randomUUID(),
    account,
    plan,
    ...(name === undefined ? {} : { name }),
    ...(models === undefined ? {} : { models }),
    ...(features === undefined ? {} : { features }),
    ...(limits === undefined ? {} : { limits }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    createdAt: new Date(),
    ...origin,
  });
}

function hasEnded(key: ApiKey): boolean {
  return key.revokedAt !== undefined || (key.expiresAt !== undefined && key.expiresAt.getTime() <= Date.now());
}

function checkedGrace(graceMs: number): number {
  if (Number.isSafeInteger(graceMs) && graceMs >= 0) return graceMs;
  throw new RangeError(`graceMs must be a whole number of milliseconds from 0 upwards, not ${graceMs}.`);
}
