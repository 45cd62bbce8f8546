import type { KeyFormatOptions } from "@tollgate/core";
import type { ApiKey, IssuedKey, KeyAdmin, KeyPage, KeyStore, NewKey } from "@tollgate/core/store";
import { ChangeListeners, checkedWholeNumber, KeyMaker, keyPlace } from "@tollgate/core/store";
import { toApiKey } from "./api-key.ts";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import { keyChannel, type Statement } from "./schema.ts";
import {
  createKeyStatement,
  findKeyStatement,
  listKeysStatement,
  readKeyStatement,
  revokeKeyStatement,
  rotateKeyStatement,
} from "./statements/keys.ts";

/**
 * A KeyStore and KeyAdmin in PostgreSQL, whose tables {@link migratePostgres} has made in the schema ("tollgate" when
 * absent). It keeps digests only. Its listeners hear of changes made through it; {@link postgresStores} can tell them
 * of those of other processes as well.
 */
export function postgresKeyStore(
  pool: PostgresPool,
  options: KeyFormatOptions & { readonly schema?: string } = {},
): KeyStore & KeyAdmin {
  return new KeysInPostgres(new Database(pool, options.schema), options);
}

/** The KeyStore and KeyAdmin of one database. */
export class KeysInPostgres implements KeyStore, KeyAdmin {
  readonly [keyPlace]: string;
  readonly #database: Database;
  readonly #maker: KeyMaker;
  readonly #changes = new ChangeListeners();
  readonly onChange = this.#changes.add;
  /** Tells the listeners of a change that was made elsewhere; undefined: any key may have changed. */
  readonly tell = (keyId: string | undefined): void => this.#changes.tell(keyId);

  constructor(database: Database, options: KeyFormatOptions) {
    this[keyPlace] = database.place;
    this.#database = database;
    this.#maker = new KeyMaker(options);
  }

  async find(presented: string): Promise<ApiKey | undefined> {
    const digest = await this.#maker.digestOf(presented);
    return digest === undefined ? undefined : this.#readOne(findKeyStatement, [digest]);
  }

  async create(wanted: NewKey): Promise<IssuedKey> {
    const { key, secret, digest } = await this.#maker.make(wanted);
    const { id, lastFour, account, plan, name, models, features, limits, expiresAt } = key;
    // JSON.stringify gives undefined, which becomes NULL, for what is absent.
    const rights = [models, features, limits].map((right) => JSON.stringify(right));
    const values = [id, digest, lastFour, account, plan, name, ...rights, expiresAt?.getTime()];
    const made = toApiKey(await this.#database.runForOne(createKeyStatement, values));
    this.#changes.tell(id);
    return { key: made, secret };
  }

  async list(query: Parameters<KeyAdmin["list"]>[0]): Promise<KeyPage> {
    const limit = checkedWholeNumber("limit", query.limit, 1);
    // One more than is asked for tells whether there is another page.
    const rows = await this.#database.run(listKeysStatement, [query.account, query.after, limit + 1]);
    const keys = rows.slice(0, limit).map(toApiKey);
    const last = keys.at(-1);
    return rows.length > limit && last !== undefined ? { keys, next: last.id } : { keys };
  }

  async revoke(keyId: string): Promise<ApiKey | undefined> {
    const revoked = await this.#readOne(revokeKeyStatement, [keyId, keyChannel(this.#database.tables)]);
    const key = revoked ?? (await this.#readOne(readKeyStatement, [keyId]));
    if (key !== undefined) this.#changes.tell(keyId);
    return key;
  }

  async rotate(keyId: string, options: { readonly graceMs: number }): Promise<IssuedKey | undefined> {
    const graceMs = checkedWholeNumber("graceMs", options.graceMs, 0);
    // Only what is new about the key is made here; its rights are copied where the old one is locked.
    const made = await this.#maker.make({ account: "", plan: "" }, keyId);
    const { id, lastFour } = made.key;
    const values = [keyId, id, made.digest, lastFour, graceMs, keyChannel(this.#database.tables)];
    const key = await this.#readOne(rotateKeyStatement, values);
    if (key === undefined) return undefined;
    this.#changes.tell(keyId);
    this.#changes.tell(id);
    return { key, secret: made.secret };
  }

  async #readOne(statement: Statement, values: unknown[]): Promise<ApiKey | undefined> {
    const [row] = await this.#database.run(statement, values);
    return row && toApiKey(row);
  }
}
