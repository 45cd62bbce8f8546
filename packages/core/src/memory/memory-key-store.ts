import { ChangeListeners } from "../access/change-listeners.ts";
import { keyLocation } from "../access/key-location.ts";
import { type GeneratedKey, type KeyFormatOptions, KeyMaker } from "../access/key-maker.ts";
import { changeKey } from "../access/key-members.ts";
import { endOfGrace, hasEnded, keyState } from "../access/rotation.ts";
import { requireKnown } from "../options/require-known.ts";
import { checkedAccountQuery, checkedId, checkedKeyQuery } from "../ports/check-arguments.ts";
import type { AccountPlans, IssuedKey, KeyAdmin, KeyChanges, KeyPage, KeyQuery, NewKey } from "../ports/key-admin.ts";
import type { ApiKey, KeyStore } from "../ports/key-store.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { compareBytes } from "../wire/bytes.ts";
import { nextOf } from "./pages.ts";

/**
 * Returns a KeyStore and KeyAdmin in the memory of this process, for development and tests. Keys are lost at exit. It
 * stores digests only. On Node, `find` is synchronous.
 */
export function memoryKeyStore(options: KeyFormatOptions = {}): KeyStore & KeyAdmin {
  requireKnown("memoryKeyStore", options, { prefix: true, pepper: true });
  return new MemoryKeyStore(new KeyMaker(options));
}

class MemoryKeyStore implements KeyStore, KeyAdmin {
  readonly [keyLocation] = "memory";
  readonly #maker: KeyMaker;
  readonly #keys = new Map<string, ApiKey>();
  readonly #idByDigest = new Map<string, string>();
  readonly #changes = new ChangeListeners();
  readonly onChange = this.#changes.add;

  constructor(maker: KeyMaker) {
    this.#maker = maker;
  }

  find(presented: string): Awaitable<ApiKey | undefined> {
    const digest = this.#maker.digestOf(presented);
    if (digest === undefined) return undefined;
    return typeof digest === "string" ? this.#byDigest(digest) : digest.then((resolved) => this.#byDigest(resolved));
  }

  create(wanted: NewKey): Promise<IssuedKey> {
    return this.#issue(wanted);
  }

  async createWithin(wanted: NewKey, most: number): Promise<IssuedKey | undefined> {
    const made = await this.#maker.make(wanted);
    const { account, plan } = made.key;
    const others = [...this.#keys.values()].filter((key) => key.account === account && key.plan === plan);
    return others.filter((key) => !hasEnded(key)).length < most ? this.#add(made) : undefined;
  }

  get(keyId: string): ApiKey | undefined {
    return this.#keys.get(checkedId("keyId", keyId));
  }

  list(unchecked: KeyQuery): KeyPage {
    const query = checkedKeyQuery(unchecked);
    const all = [...this.#keys.values()];
    const start = query.after === undefined ? 0 : all.findIndex((key) => key.id === query.after) + 1;
    const rest = all.slice(start).filter((key) => matches(key, query));
    const keys = rest.slice(0, query.limit);
    return { keys, ...nextOf(keys, rest.length, ({ id }) => id) };
  }

  accountsWithKeys(query: Parameters<KeyAdmin["accountsWithKeys"]>[0]): readonly AccountPlans[] {
    const { limit, after, prefix = "" } = checkedAccountQuery(query);
    const newestFirst = [...this.#keys.values()].toReversed();
    const ids = [...new Set(newestFirst.map(({ account }) => account))]
      .filter((id) => id.startsWith(prefix) && (after === undefined || compareBytes(id, after) > 0))
      .sort(compareBytes);
    return ids.slice(0, limit).map((id) => {
      const active = newestFirst.filter((key) => key.account === id && keyState(key) === "active");
      return { id, plans: [...new Set(active.map(({ plan }) => plan))] };
    });
  }

  update(keyId: string, changes: KeyChanges): ApiKey | undefined {
    const key = this.get(keyId);
    return key && this.#put(changeKey(key, changes));
  }

  revoke(keyId: string): ApiKey | undefined {
    const key = this.get(keyId);
    if (key === undefined || key.revokedAt !== undefined) return key;
    return this.#put({ ...key, revokedAt: new Date() });
  }

  async rotate(keyId: string, options: { readonly graceMs: number }): Promise<IssuedKey | undefined> {
    const key = this.get(keyId);
    if (key === undefined || hasEnded(key)) return undefined;
    this.#put({ ...key, expiresAt: endOfGrace(key, options.graceMs) });
    return this.#issue(key, key);
  }

  async #issue(wanted: NewKey, replaced?: ApiKey): Promise<IssuedKey> {
    return this.#add(await this.#maker.make(wanted, replaced));
  }

  #add({ key, secret, digest }: GeneratedKey): IssuedKey {
    this.#idByDigest.set(digest, key.id);
    return { key: this.#put(key), secret };
  }

  #byDigest(digest: string): ApiKey | undefined {
    const id = this.#idByDigest.get(digest);
    return id === undefined ? undefined : this.#keys.get(id);
  }

  #put(key: ApiKey): ApiKey {
    this.#keys.set(key.id, key);
    this.#changes.notify(key.id);
    return key;
  }
}

function matches(key: ApiKey, { account, state, search = "" }: KeyQuery): boolean {
  if (account !== undefined && key.account !== account) return false;
  if (state !== undefined && keyState(key) !== state) return false;
  const part = lowerCase(search);
  return [key.id, key.name ?? "", key.lastFour].some((text) => lowerCase(text).includes(part));
}

/** Changes only the letters A to Z, as the databases do. */
const lowerCase = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
