import { nextOf, readAuditRow, requireKnown } from "@tollgate/core/internal";
import {
  type AuditChange,
  type AuditEntry,
  type AuditLog,
  type AuditPage,
  checkedWholeNumber,
  writeLosslessJson,
} from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import { appendAuditStatement, listAuditStatement } from "./statements/audit.ts";
import { isStorableText } from "./storable-values.ts";

/**
 * An AuditLog in PostgreSQL, on tables that {@link migratePostgres} creates in the schema ("tollgate" by default). An
 * append holds a lock until it is committed, so entries become visible in the order of their sequence, and a page misses
 * no entry. Its role needs only SELECT and INSERT on the table `audit`.
 */
export function postgresAuditLog(pool: PostgresPool, options: { readonly schema?: string } = {}): AuditLog {
  requireKnown("postgresAuditLog", options, { schema: true });
  return new AuditLogInPostgres(new Database(pool, options.schema));
}

/** The AuditLog on one database. */
export class AuditLogInPostgres implements AuditLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async append({ actor, action, subject, before, after }: AuditChange): Promise<AuditEntry> {
    const states = [before, after].map((state) => (state === undefined ? null : writeLosslessJson(state)));
    const values = [crypto.randomUUID(), actor, action, subject, ...states];
    const [row] = await this.#database.run(appendAuditStatement, values);
    // A repeated statement that waited for the first one does not see its entry yet. The next one does.
    return readAuditRow(row ?? (await this.#database.runForOne(appendAuditStatement, values)));
  }

  async list({ before, actor, action, subject, ...page }: Parameters<AuditLog["list"]>[0]): Promise<AuditPage> {
    const limit = checkedWholeNumber("limit", page.limit, 1);
    if (![actor, action, subject].every((text = "") => isStorableText(text))) return { entries: [] };
    const values = [before === undefined ? null : String(before), actor, action, subject, limit + 1];
    const rows = await this.#database.run(listAuditStatement, values);
    const entries = rows.slice(0, limit).map(readAuditRow);
    return { entries, ...nextOf(entries, rows.length, ({ sequence }) => sequence) };
  }
}
