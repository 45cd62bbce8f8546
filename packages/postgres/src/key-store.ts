import type { KeyFormatOptions } from "@tollgate/core";
import { nextOf, readKeyRow, requireKnown, type TextRow } from "@tollgate/core/internal";
import {
  type AccountPlans,
  type ApiKey,
  ChangeListeners,
  checkedAccountQuery,
  checkedId,
  checkedKeyMembers,
  checkedKeyQuery,
  checkedWholeNumber,
  type GeneratedKey,
  groupPlans,
  type IssuedKey,
  type KeyAdmin,
  type KeyChanges,
  KeyMaker,
  type KeyPage,
  type KeyQuery,
  type KeyStore,
  keyLocation,
  type NewKey,
  writeSpendLimit,
} from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import { keyChannel, type Statement } from "./schema.ts";
import {
  accountsWithKeysStatement,
  changeKeyStatement,
  countActiveKeysStatement,
  createKeyStatement,
  findKeyStatement,
  listKeysStatement,
  lockKeysStatement,
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
  readonly [keyLocation]: string;
  readonly #database: Database;
  readonly #maker: KeyMaker;
  readonly #changes = new ChangeListeners();
  readonly onChange = this.#changes.add;
  /** Notifies the listeners of a change by another process. Undefined means that any key may have changed. */
  readonly notify = (keyId: string | undefined): void => this.#changes.notify(keyId);

  constructor(database: Database, options: KeyFormatOptions) {
    this[keyLocation] = database.location;
    this.#database = database;
    this.#maker = new KeyMaker(options);
  }

  async find(presented: string): Promise<ApiKey | undefined> {
    const digest = await this.#maker.digestOf(presented);
    return digest === undefined ? undefined : this.#readOne(findKeyStatement, [digest]);
  }

  async create(newKey: NewKey): Promise<IssuedKey> {
    return this.insert(await this.#maker.make(newKey));
  }

  async createWithin(newKey: NewKey, most: number): Promise<IssuedKey | undefined> {
    return this.insertWithin(await this.#maker.make(newKey), most);
  }

  /** Inserts a generated key. In a shard, it has a sequence number of the directory. */
  async insert(made: GeneratedKey, sequence?: bigint): Promise<IssuedKey> {
    return this.#created(made, await this.#database.runForOne(createKeyStatement, createValues(made, sequence)));
  }

  /** Inserts a generated key, unless its account has `most` active keys in its plan. */
  async insertWithin(made: GeneratedKey, most: number, sequence?: bigint): Promise<IssuedKey | undefined> {
    const { id, account, plan } = made.key;
    // The lock is a statement of its own, so that the count sees what was created before it was granted.
    const row = await this.#database.transaction(
      async (run) => {
        await run(lockKeysStatement, [account]);
        const [counted] = await run(countActiveKeysStatement, [account, plan, id]);
        if (Number(counted?.text("active")) >= most) return undefined;
        return (await run(createKeyStatement, createValues(made, sequence)))[0];
      },
      (created) => created !== undefined,
    );
    return row && this.#created(made, row);
  }

  async get(keyId: string): Promise<ApiKey | undefined> {
    return isStorableText(checkedId("keyId", keyId)) ? this.#readOne(readKeyStatement, [keyId]) : undefined;
  }

  async list(query: KeyQuery): Promise<KeyPage> {
    const { limit, ...rest } = checkedKeyQuery(query);
    // One row more than the limit shows whether there is another page.
    const found = await this.listNumbered({ ...rest, limit: limit + 1 });
    const keys = found.slice(0, limit).map(({ key }) => key);
    return { keys, ...nextOf(keys, found.length, ({ id }) => id) };
  }

  /** Lists keys with their sequence numbers, after a number if it is given. */
  async listNumbered(
    { account, state, search, after, limit }: KeyQuery,
    afterSequence?: bigint,
  ): Promise<readonly NumberedKey[]> {
    const values = [account, after, limit, state, search, afterSequence === undefined ? null : String(afterSequence)];
    const rows = await this.#database.run(listKeysStatement, values);
    return rows.map((row) => ({ key: toApiKey(row), sequence: row.integer("sequence") }));
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
    return this.replace(keyId, await this.#maker.generate(), graceMs);
  }

  /** Replaces a key with one of which only the id and the secret were generated. The statement copies the rest, and locks the old key. */
  async replace(
    keyId: string,
    { id, secret, lastFour, digest }: Awaited<ReturnType<KeyMaker["generate"]>>,
    graceMs: number,
    sequence?: bigint,
  ): Promise<IssuedKey | undefined> {
    const channel = keyChannel(this.#database.tables);
    const values = [keyId, id, digest, lastFour, graceMs, channel, ...numberOf(sequence)];
    const key = await this.#readOne(rotateKeyStatement, values);
    if (key === undefined) return undefined;
    this.#changes.notify(keyId);
    this.#changes.notify(id);
    return { key, secret };
  }

  #created({ key: { id }, secret }: GeneratedKey, row: TextRow): IssuedKey {
    this.#changes.notify(id);
    return { key: toApiKey(row), secret };
  }

  async #readOne(statement: Statement, values: unknown[]): Promise<ApiKey | undefined> {
    const [row] = await this.#database.run(statement, values);
    return row && toApiKey(row);
  }
}

/** A key and its place among the keys. */
export interface NumberedKey {
  readonly key: ApiKey;
  readonly sequence: bigint;
}

const numberOf = (sequence: bigint | undefined): readonly string[] =>
  sequence === undefined ? [] : [String(sequence)];

const createValues = ({ key, digest }: GeneratedKey, sequence: bigint | undefined): unknown[] => [
  key.id,
  digest,
  key.lastFour,
  key.account,
  key.plan,
  ...memberValues(key),
  ...numberOf(sequence),
];

/** Reads a key. A NULL column becomes an absent member. */
const toApiKey = (row: TextRow): ApiKey => readKeyRow(row, row.text("account_id"), row.optionalText("limits_id"));

const columns: Readonly<Record<keyof KeyChanges, string>> = {
  name: "name",
  models: "models",
  features: "features",
  dialects: "dialects",
  scopes: "scopes",
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
  const { name, models, features, dialects, scopes, limits, spend, tags, logContent, expiresAt } = key;
  return [
    name,
    ...[models, features, dialects, scopes, limits].map(toJson),
    spend && writeSpendLimit(spend),
    toJson(tags),
    logContent,
    expiresAt?.getTime(),
  ];
}

const toJson = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));
