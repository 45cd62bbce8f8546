import { readKeyRow } from "@tollgate/core/internal";
import { type ApiKey, type KeyQuery, type PlanRow, writeSpendLimit } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { type Parameter, searchable } from "./parameters.ts";
import type { Row } from "./row.ts";
import type { Command, Query } from "./statement.ts";

const afterKey = "position > coalesce((SELECT position FROM tollgate_key WHERE id = ?1), 0)";
const inState = `(?3 IS NULL
  OR ?3 = CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= ?4 THEN 'expired' ELSE 'active' END)`;
// In SQLite, lower() changes only the letters A to Z.
const found = `(?5 IS NULL OR instr(lower(id), lower(?5)) > 0 OR instr(lower(name), lower(?5)) > 0
  OR instr(lower(last_four), lower(?5)) > 0)`;

/** The id by which the limits of the key are counted that this one replaced. NULL for a key that replaced none. */
const replacedId = `(SELECT coalesce(replaced.limits_id, replaced.id) FROM tollgate_key AS replaced
  WHERE replaced.id = tollgate_key.rotated_from) AS replaced_id`;

/** The rows of tollgate_key. */
export class KeyRows {
  readonly #byDigest: Query<ApiKey>;
  readonly #byId: Query<ApiKey>;
  readonly #page: Query<ApiKey>;
  readonly #pageOfAccount: Query<ApiKey>;
  readonly #plans: Query<PlanRow>;
  readonly #active: Query<bigint>;
  readonly #add: Command;
  readonly #change: Command;
  readonly #revoke: Command;
  readonly #expire: Command;

  constructor(connection: Connection) {
    const keys = (rest: string) => connection.query(`SELECT *, ${replacedId} FROM tollgate_key ${rest}`, toApiKey);
    const page = `${afterKey} AND ${inState} AND ${found} ORDER BY position LIMIT ?2`;
    this.#byDigest = keys("WHERE digest = ?");
    this.#byId = keys("WHERE id = ?");
    this.#page = keys(`WHERE ${page}`);
    this.#pageOfAccount = keys(`WHERE account = ?6 AND ${page}`);
    this.#plans = connection.query(
      `SELECT account, plan, max(iif(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?4), position, 0)) AS newest
         FROM tollgate_key
        WHERE account IN (SELECT DISTINCT account FROM tollgate_key
                           WHERE account > ?1 AND substr(account, 1, length(?2)) = ?2 ORDER BY account LIMIT ?3)
        GROUP BY account, plan ORDER BY account, newest DESC`,
      (row) => ({ account: row.text("account"), plan: row.text("plan"), isActive: row.integer("newest") > 0n }),
    );
    this.#active = connection.query(
      `SELECT count(*) AS active FROM tollgate_key
        WHERE account = ?1 AND plan = ?2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?3)`,
      (row) => row.integer("active"),
    );
    this.#add = connection.command(
      `INSERT INTO tollgate_key (name, models, features, dialects, scopes, limits, spend, tags, log_content, expires_at, id, digest,
        account, plan, last_four, created_at, rotated_from, limits_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#change = connection.command(
      `UPDATE tollgate_key SET name = ?, models = ?, features = ?, dialects = ?, scopes = ?, limits = ?, spend = ?,
        tags = ?, log_content = ?, expires_at = ? WHERE id = ?`,
    );
    this.#revoke = connection.command("UPDATE tollgate_key SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL");
    this.#expire = connection.command("UPDATE tollgate_key SET expires_at = ?2 WHERE id = ?1");
  }

  byDigest(digest: string): ApiKey | undefined {
    return this.#byDigest.first(digest);
  }

  byId(id: string): ApiKey | undefined {
    return this.#byId.first(searchable(id));
  }

  /** Returns the keys that match, in the order of their creation. */
  page({ account, state, search, limit, after }: KeyQuery): ApiKey[] {
    const values = [after, limit, state, Date.now(), search] as const;
    return account === undefined ? this.#page.all(...values) : this.#pageOfAccount.all(...values, account);
  }

  /** Returns the plans of accounts, by account and from the newest active key. SQLite compares text by bytes. */
  plans(limit: number, after: string, prefix: string): PlanRow[] {
    return this.#plans.all(after, prefix, limit, Date.now());
  }

  /** Counts the active keys of an account in a plan. */
  activeIn(account: string, plan: string): bigint {
    return this.#active.first(account, plan, Date.now()) ?? 0n;
  }

  add(key: ApiKey, digest: string): void {
    const { id, account, plan, lastFour, createdAt, rotatedFrom, limitsId } = key;
    this.#add.run(...membersOf(key), id, digest, account, plan, lastFour, createdAt, rotatedFrom, limitsId);
  }

  /** Replaces the members of the key that can change. */
  change(key: ApiKey): void {
    this.#change.run(...membersOf(key), key.id);
  }

  /** Returns false when the key is already revoked or does not exist. */
  revoke(id: string): boolean {
    return this.#revoke.run(id, new Date()) > 0;
  }

  /** Sets the time at which the key expires. */
  expire(id: string, expiresAt: Date): void {
    this.#expire.run(id, expiresAt);
  }
}

function membersOf(key: ApiKey): Parameter[] {
  const { name, models, features, dialects, scopes, limits, spend, tags, logContent, expiresAt } = key;
  // JSON.stringify returns undefined for an absent value, which becomes NULL.
  const restrictions = [models, features, dialects, scopes, limits].map((value) => JSON.stringify(value));
  const content = logContent === undefined ? undefined : Number(logContent);
  return [name, ...restrictions, spend && writeSpendLimit(spend), JSON.stringify(tags), content, expiresAt];
}

/** Reads a row of tollgate_key with the `replaced_id`. A NULL column becomes an absent member. */
const toApiKey = (row: Row): ApiKey =>
  // Processes of older versions rotate keys without the id of their limits.
  readKeyRow(row, row.text("account"), row.optionalText("limits_id") ?? row.optionalText("replaced_id"));
