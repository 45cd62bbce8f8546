import type { ApiKey } from "@tollgate/core/store";
import { toApiKey } from "./api-key.ts";
import type { Connection } from "./connection.ts";
import type { Command, Query } from "./statement.ts";

/** The rows of tollgate_key. */
export class KeyRows {
  readonly #byDigest: Query<ApiKey>;
  readonly #byId: Query<ApiKey>;
  readonly #page: Query<ApiKey>;
  readonly #pageOfAccount: Query<ApiKey>;
  readonly #add: Command;
  readonly #revoke: Command;
  readonly #expire: Command;

  constructor(connection: Connection) {
    const keys = (rest: string) => connection.query(`SELECT * FROM tollgate_key ${rest}`, toApiKey);
    const afterKey = "position > coalesce((SELECT position FROM tollgate_key WHERE id = ?1), 0)";
    this.#byDigest = keys("WHERE digest = ?");
    this.#byId = keys("WHERE id = ?");
    this.#page = keys(`WHERE ${afterKey} ORDER BY position LIMIT ?2`);
    this.#pageOfAccount = keys(`WHERE account = ?3 AND ${afterKey} ORDER BY position LIMIT ?2`);
    this.#add = connection.command(
      `INSERT INTO tollgate_key (id, digest, account, plan, name, last_four, models, features, limits, created_at,
        expires_at, rotated_from) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#revoke = connection.command("UPDATE tollgate_key SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL");
    this.#expire = connection.command("UPDATE tollgate_key SET expires_at = ?2 WHERE id = ?1");
  }

  byDigest(digest: string): ApiKey | undefined {
    return this.#byDigest.first(digest);
  }

  byId(id: string): ApiKey | undefined {
    return this.#byId.first(id);
  }

  /** Returns keys in the order of their creation, starting after the key with the id `after`. */
  page(account: string | undefined, limit: number, after: string | undefined): ApiKey[] {
    return account === undefined ? this.#page.all(after, limit) : this.#pageOfAccount.all(after, limit, account);
  }

  add(key: ApiKey, digest: string): void {
    const { id, account, plan, name, lastFour, models, features, limits, createdAt, expiresAt, rotatedFrom } = key;
    // JSON.stringify returns undefined for an absent value, which becomes NULL.
    const restrictions = [models, features, limits].map((value) => JSON.stringify(value));
    this.#add.run(id, digest, account, plan, name, lastFour, ...restrictions, createdAt, expiresAt, rotatedFrom);
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
