import type { KeyFormatOptions } from "@tollgate/core";
import { nextOf, readKeyRow, requireKnown } from "@tollgate/core/internal";
import {
  type AccountPlans,
  type ApiKey,
  ChangeListeners,
  checkedAccountQuery,
  checkedId,
  checkedKeyMembers,
  checkedKeyQuery,
  checkedWholeNumber,
  groupPlans,
  type IssuedKey,
  type KeyAdmin,
  type KeyChanges,
  KeyMaker,
  type KeyPage,
  type KeyQuery,
  type KeyStore,
  keyPlace,
  type NewKey,
  writeSpendLimit,
} from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import type { Row } from "./row.ts";
import { keyChannel, type Statement } from "./schema.ts";
import {
  accountsWithKeysStatement,
  changeKeyStatement,
  createKeyStatement,
  findKeyStatement,
  listKeysStatement,
  readKeyStatement,
  revokeKeyStatement,
  rotateKeyStatement,
} from "./statements/keys.ts";
import { isStorableText } from "./storable-values.ts";

/**
 * A KeyStore and KeyAdmin in PostgreSQL, on tables that {@link migratePostgres} creates in the schema ("tollgate" by
 * default). It stores digests only. Its listeners are notified of changes made through it; with `listen`,
 * {@link postgresStores} also notifies them of changes by other processes.
 */
export function postgresKeyStore(
  pool: PostgresPool,
  options: KeyFormatOptions & { readonly schema?: string } = {},
): KeyStore & KeyAdmin {
  requireKnown("postgresKeyStore", options, { schema: true, prefix: true, pepper: true });
  return new KeysInPostgres(new Database(pool, options.schema), options);
}

/** The KeyStore and KeyAdmin on one database. */
export class KeysInPostgres implements KeyStore, KeyAdmin {
  readonly [keyPlace]: string;
  readonly #database: Database;
  readonly #maker: KeyMaker;
  readonly #changes = new ChangeListeners();
  readonly onChange = this.#changes.add;
  /** Notifies the listeners of a change by another process. Undefined means that any key may have changed. */
  readonly notify = (keyId: string | undefined): void => this.#changes.notify(keyId);

  constructor(database: Database, options: KeyFormatOptions) {
    this[keyPlace] = database.place;
    this.#database = database;
    this.#maker = new KeyMaker(options);
  }

  async find(presented: string): Promise<ApiKey | undefined> {
    const digest = await this.#maker.digestOf(presented);
    return digest === undefined ? undefined : this.#readOne(findKeyStatement, [digest]);
  }

  async create(newKey: NewKey): Promise<IssuedKey> {
    const { key, secret, digest } = await this.#maker.make(newKey);
    const { id, lastFour, account, plan } = key;
    const values = [id, digest, lastFour, account, plan, ...memberValues(key)];
    const created = toApiKey(await this.#database.runForOne(createKeyStatement, values));
    this.#changes.notify(id);
    return { key: created, secret };
  }

  async get(keyId: string): Promise<ApiKey | undefined> {
    return isStorableText(checkedId("keyId", keyId)) ? this.#readOne(readKeyStatement, [keyId]) : undefined;
  }

  async list(query: KeyQuery): Promise<KeyPage> {
    const { account, state, search, after, limit } = checkedKeyQuery(query);
    // One row more than the limit shows whether there is another page.
    const rows = await this.#database.run(listKeysStatement, [account, after, limit + 1, state, search]);
    const keys = rows.slice(0, limit).map(toApiKey);
    return { keys, ...nextOf(keys, rows.length, ({ id }) => id) };
  }

  async accountsWithKeys(query: Parameters<KeyAdmin["accountsWithKeys"]>[0]): Promise<readonly AccountPlans[]> {
    const { limit, after = "", prefix = "" } = checkedAccountQuery(query);
    const rows = await this.#database.run(accountsWithKeysStatement, [after, prefix, limit]);
    return groupPlans(
      rows.map((row) => ({
        account: row.text("account_id"),
        plan: row.text("plan"),
        isActive: row.optionalText("newest") !== undefined,
      })),
    );
  }

  async update(keyId: string, changes: KeyChanges): Promise<ApiKey | undefined> {
    const checked = checkedKeyMembers(changes);
    if (!isStorableText(checkedId("keyId", keyId))) return undefined;
    const values = [keyId, changedColumns(checked), keyChannel(this.#database.tables), ...memberValues(checked)];
    const key = await this.#readOne(changeKeyStatement, values);
    if (key !== undefined) this.#changes.notify(keyId);
    return key;
  }

  async revoke(keyId: string): Promise<ApiKey | undefined> {
    checkedId("keyId", keyId);
    const revoked = await this.#readOne(revokeKeyStatement, [keyId, keyChannel(this.#database.tables)]);
    const key = revoked ?? (await this.#readOne(readKeyStatement, [keyId]));
    if (key !== undefined) this.#changes.notify(keyId);
    return key;
  }

  async rotate(keyId: string, options: { readonly graceMs: number }): Promise<IssuedKey | undefined> {
    checkedId("keyId", keyId);
    const graceMs = checkedWholeNumber("graceMs", options.graceMs, 0);
    // Only the id and the secret are generated here. The statement copies the rest from the old key, which it locks.
    const { id, secret, lastFour, digest } = await this.#maker.generate();
    const values = [keyId, id, digest, lastFour, graceMs, keyChannel(this.#database.tables)];
    const key = await this.#readOne(rotateKeyStatement, values);
    if (key === undefined) return undefined;
    this.#changes.notify(keyId);
    this.#changes.notify(id);
    return { key, secret };
  }

  async #readOne(statement: Statement, values: unknown[]): Promise<ApiKey | undefined> {
    const [row] = await this.#database.run(statement, values);
    return row && toApiKey(row);
  }
}

/** Reads a key. A NULL column becomes an absent member. */
const toApiKey = (row: Row): ApiKey => readKeyRow(row, row.text("account_id"), row.optionalText("limits_id"));

const columns: Readonly<Record<keyof KeyChanges, string>> = {
  name: "name",
  models: "models",
  features: "features",
  dialects: "dialects",
  limits: "limits",
  spend: "spend",
  tags: "tags",
  logContent: "log_content",
  expiresAt: "expires_at",
};

/** The columns that the changes set. An undefined member changes nothing. */
const changedColumns = (changes: KeyChanges): readonly string[] =>
  Object.entries(columns).flatMap(([name, column]) => (Reflect.get(changes, name) === undefined ? [] : [column]));

/** The values of the members of a key, in the order in which the statements list them. An absent member becomes NULL. */
function memberValues(key: { readonly [Name in keyof KeyChanges]: ApiKey[Name] | null | undefined }): unknown[] {
  const { name, models, features, dialects, limits, spend, tags, logContent, expiresAt } = key;
  return [
    name,
    ...[models, features, dialects, limits].map(toJson),
    spend && writeSpendLimit(spend),
    toJson(tags),
    logContent,
    expiresAt?.getTime(),
  ];
}

const toJson = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));
