import { type Awaitable, nextOf, readAuditRow } from "@tollgate/core/internal";
import {
  type AuditChange,
  type AuditEntry,
  type AuditLog,
  type AuditPage,
  checkedWholeNumber,
  writeLosslessJson,
} from "@tollgate/core/store";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";
import { columnIs, FilteredQuery } from "./filtered-query.ts";
import type { Query } from "./statement.ts";

/**
 * An AuditLog in SQLite, on a database that the host opens. {@link sqliteStores} lists the settings it changes. SQLite
 * runs one write at a time, so entries become visible in the order of their sequence, and a page misses no entry.
 */
export function sqliteAuditLog(database: SqliteDatabase): AuditLog {
  return new AuditLogInSqlite(new Connection(database));
}

/** The AuditLog on an open connection. */
export class AuditLogInSqlite implements AuditLog {
  readonly #connection: Connection;
  readonly #append: Query<AuditEntry>;
  readonly #page: FilteredQuery<AuditEntry>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#append = connection.query(
      `INSERT INTO tollgate_audit (at, actor, action, subject, before, after) VALUES (?, ?, ?, ?, ?, ?) RETURNING *`,
      readAuditRow,
    );
    this.#page = new FilteredQuery(connection, "SELECT * FROM tollgate_audit", "ORDER BY sequence DESC", readAuditRow);
  }

  append({ actor, action, subject, before, after }: AuditChange): Awaitable<AuditEntry> {
    const states = [before, after].map((state) => (state === undefined ? undefined : writeLosslessJson(state)));
    return this.#connection.write(() => {
      const entry = this.#append.first(new Date(), actor, action, subject, ...states);
      if (entry === undefined) throw new TypeError("SQLite returned no row of tollgate_audit. Check its triggers.");
      return entry;
    });
  }

  async list({ before, actor, action, subject, ...page }: Parameters<AuditLog["list"]>[0]): Promise<AuditPage> {
    const limit = checkedWholeNumber("limit", page.limit, 1);
    const conditions = [
      columnIs("actor", actor),
      columnIs("action", action),
      columnIs("subject", subject),
      before === undefined ? undefined : { sql: "sequence < ?", values: [before] },
    ];
    const found = await this.#connection.read(() => this.#page.all(conditions, limit + 1));
    const entries = found.slice(0, limit);
    return { entries, ...nextOf(entries, found.length, ({ sequence }) => sequence) };
  }
}
