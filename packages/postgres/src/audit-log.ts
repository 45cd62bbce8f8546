import { requireKnown } from "@tollgate/core/internal";
import type { AuditChange, AuditEntry, AuditLog, AuditPage } from "@tollgate/core/store";
import { checkedWholeNumber, readAuditEntry, writeLosslessJson } from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import type { Row } from "./row.ts";
import { appendAuditStatement, listAuditStatement } from "./statements/audit.ts";
import { isStorableText } from "./text.ts";

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
    return toEntry(row ?? (await this.#database.runForOne(appendAuditStatement, values)));
  }

  async list({ before, actor, action, subject, ...page }: Parameters<AuditLog["list"]>[0]): Promise<AuditPage> {
    const limit = checkedWholeNumber("limit", page.limit, 1);
    if (![actor, action, subject].every((text = "") => isStorableText(text))) return { entries: [] };
    const values = [before === undefined ? null : String(before), actor, action, subject, limit + 1];
    const rows = await this.#database.run(listAuditStatement, values);
    const entries = rows.slice(0, limit).map(toEntry);
    const last = entries.at(-1);
    return rows.length > limit && last !== undefined ? { entries, next: last.sequence } : { entries };
  }
}

const toEntry = (row: Row): AuditEntry =>
  readAuditEntry({
    sequence: row.integer("sequence"),
    at: row.date("at"),
    actor: row.text("actor"),
    action: row.text("action"),
    subject: row.text("subject"),
    before: row.optionalText("before"),
    after: row.optionalText("after"),
  });
