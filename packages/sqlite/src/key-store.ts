import type { KeyFormatOptions } from "@tollgate/core";
import { type Awaitable, nextOf, requireKnown } from "@tollgate/core/internal";
import {
  type AccountPlans,
  type ApiKey,
  ChangeListeners,
  changeKey,
  checkedAccountQuery,
  checkedId,
  checkedKeyQuery,
  endOfGrace,
  type GeneratedKey,
  groupPlans,
  hasEnded,
  type IssuedKey,
  type KeyAdmin,
  type KeyChanges,
  KeyMaker,
  type KeyPage,
  type KeyQuery,
  type KeyStore,
  keyLocation,
  type NewKey,
  successorOf,
} from "@tollgate/core/store";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";
import { KeyRows } from "./key-rows.ts";

/**
 * A KeyStore and KeyAdmin in SQLite, on a database that the host opens. {@link sqliteStores} lists the settings it
 * changes. It stores digests only. Listeners are notified of changes made through this store. Changes by other
 * processes take effect when the gateway's cached key expires, within 30 s.
 */
export function sqliteKeyStore(database: SqliteDatabase, options: KeyFormatOptions = {}): KeyStore & KeyAdmin {
  requireKnown("sqliteKeyStore", options, { prefix: true, pepper: true });
  return new KeysInSqlite(new Connection(database), options);
}

/** The KeyStore and KeyAdmin on an open connection. */
export class KeysInSqlite implements KeyStore, KeyAdmin {
  readonly [keyLocation]: string;
  readonly #connection: Connection;
  readonly #maker: KeyMaker;
  readonly #rows: KeyRows;
  readonly #changes = new ChangeListeners();
  readonly onChange = this.#changes.add;

  constructor(connection: Connection, options: KeyFormatOptions) {
    this[keyLocation] = connection.location;
    this.#maker = new KeyMaker(options);
    this.#connection = connection;
    this.#rows = new KeyRows(connection);
  }

  find(presented: string): Awaitable<ApiKey | undefined> {
    const digest = this.#maker.digestOf(presented);
    if (digest === undefined) return undefined;
    return typeof digest === "string" ? this.#byDigest(digest) : digest.then((value) => this.#byDigest(value));
  }

  async create(newKey: NewKey): Promise<IssuedKey> {
    const { key, secret, digest } = await this.#maker.make(newKey);
    await this.#connection.write(() => this.#rows.add(key, digest));
    this.#changes.notify(key.id);
    return { key, secret };
  }

  async createWithin(newKey: NewKey, most: number): Promise<IssuedKey | undefined> {
    const { key, secret, digest } = await this.#maker.make(newKey);
    const isCreated = await this.#connection.write(() => {
      const hasRoom = this.#rows.activeIn(key.account, key.plan) < most;
      if (hasRoom) this.#rows.add(key, digest);
      return hasRoom;
    });
    if (!isCreated) return undefined;
    this.#changes.notify(key.id);
    return { key, secret };
  }

  get(keyId: string): Awaitable<ApiKey | undefined> {
    checkedId("keyId", keyId);
    return this.#connection.read(() => this.#rows.byId(keyId));
  }

  async list(unchecked: KeyQuery): Promise<KeyPage> {
    const query = checkedKeyQuery(unchecked);
    const { limit } = query;
    const found = await this.#connection.read(() => this.#rows.page({ ...query, limit: limit + 1 }));
    const keys = found.slice(0, limit);
    return { keys, ...nextOf(keys, found.length, ({ id }) => id) };
  }

  accountsWithKeys(query: Parameters<KeyAdmin["accountsWithKeys"]>[0]): Awaitable<readonly AccountPlans[]> {
    const { limit, after = "", prefix = "" } = checkedAccountQuery(query);
    return this.#connection.read(() => groupPlans(this.#rows.plans(limit, after, prefix)));
  }

  async update(keyId: string, changes: KeyChanges): Promise<ApiKey | undefined> {
    checkedId("keyId", keyId);
    const key = await this.#connection.write(() => this.#change(keyId, changes));
    if (key !== undefined) this.#changes.notify(keyId);
    return key;
  }

  async revoke(keyId: string): Promise<ApiKey | undefined> {
    checkedId("keyId", keyId);
    const [key, changed] = await this.#connection.write(() => {
      const revoked = this.#rows.revoke(keyId);
      return [this.#rows.byId(keyId), revoked] as const;
    });
    if (changed) this.#changes.notify(keyId);
    return key;
  }

  async rotate(keyId: string, options: { readonly graceMs: number }): Promise<IssuedKey | undefined> {
    const old = await this.get(keyId);
    if (old === undefined) return undefined;
    const generated = await this.#maker.make(old, old);
    const key = await this.#connection.write(() => this.#replace(old.id, generated, options.graceMs));
    if (key === undefined) return undefined;
    this.#changes.notify(keyId);
    this.#changes.notify(key.id);
    return { key, secret: generated.secret };
  }

  #byDigest(digest: string): Awaitable<ApiKey | undefined> {
    return this.#connection.read(() => this.#rows.byDigest(digest));
  }

  #change(keyId: string, changes: KeyChanges): ApiKey | undefined {
    const key = this.#rows.byId(keyId);
    if (key === undefined) return undefined;
    const changed = changeKey(key, changes);
    this.#rows.change(changed);
    return changed;
  }

  /** Expires the old key and adds the new one, unless the old key has ended in the meantime. */
  #replace(keyId: string, generated: GeneratedKey, graceMs: number): ApiKey | undefined {
    const old = this.#rows.byId(keyId);
    if (old === undefined || hasEnded(old)) return undefined;
    this.#rows.expire(keyId, endOfGrace(old, graceMs));
    const { id, lastFour, createdAt } = generated.key;
    // The members are those of this transaction, since the old key may have been changed in the meantime.
    const key: ApiKey = { ...old, id, lastFour, createdAt, ...successorOf(old) };
    this.#rows.add(key, generated.digest);
    return key;
  }
}
