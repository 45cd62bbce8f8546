import { TextRow } from "@tollgate/core/internal";
import type { PostgresPool } from "./pool.ts";
import type { Tables } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

const retryMs = 3_600_000;

/**
 * Creates the partitions of this month and the next, ahead of their rows, and drops old ones. If that fails, rows go to the default
 * partition, and it is tried again after an hour.
 */
export class UsagePartitions {
  readonly #pool: PostgresPool;
  readonly #tables: Tables;
  readonly #onFailure: (error: Error) => void;
  #existing: string | undefined;
  #nextTryAt = 0;

  constructor(pool: PostgresPool, tables: Tables, onFailure: (error: Error) => void) {
    this.#pool = pool;
    this.#tables = tables;
    this.#onFailure = onFailure;
  }

  /** Never rejects. */
  async ensure(now = new Date()): Promise<void> {
    const month = monthName(now, 0);
    if (this.#existing === month || now.getTime() < this.#nextTryAt) return;
    try {
      for (const ahead of [0, 1]) await this.#create(now, ahead);
      this.#existing = month;
    } catch (cause) {
      this.#nextTryAt = now.getTime() + retryMs;
      this.#onFailure(
        new Error(
          `The partition of ${this.#tables.usageRow} for the next rows could not be created, so they go to the default partition. ` +
            `Grant the role CREATE on the schema and the ownership of the table, and move rows of this month out of the default partition: ${cause instanceof Error ? cause.message : cause}`,
          { cause },
        ),
      );
    }
  }

  /**
   * Drops the partitions whose months have ended before a date, until one had rows, and returns their number. Returns 0 if
   * there is none, or if it cannot be dropped. Never rejects.
   */
  async dropBefore(before: Date): Promise<number> {
    try {
      for (const name of await this.#endedBefore(before)) {
        const rows = await this.#drop(`"${this.#tables.schema}".${name}`);
        if (rows > 0) return rows;
      }
    } catch {
      // Without the permission, or while the table is in use, the caller deletes the rows one by one.
    }
    return 0;
  }

  async #endedBefore(before: Date): Promise<readonly string[]> {
    const text = `SELECT class.relname::text AS name FROM pg_inherits JOIN pg_class AS class ON class.oid = inhrelid
       WHERE inhparent = to_regclass($1) ORDER BY 1`;
    const { rows } = await this.#pool.query({ text, values: [this.#tables.usageRow] });
    const names = rows.map((row) => new TextRow(row).text("name"));
    // The names order as their months do, and the default partition comes last.
    return names.filter((name) => /_\d{4}_\d{2}$/.test(name) && name < `usage_row_${monthName(before, 0)}`);
  }

  #drop(partition: string): Promise<number> {
    return inTransaction(this.#pool, async (connection) => {
      await connection.query({ text: "SET LOCAL lock_timeout = '2s'" });
      // The table before its partition, as writers lock them.
      await connection.query({ text: `LOCK TABLE ONLY ${this.#tables.usageRow} IN ACCESS EXCLUSIVE MODE` });
      const { rows } = await connection.query({ text: `SELECT count(*)::text AS rows FROM ${partition}` });
      await connection.query({ text: `DROP TABLE ${partition}` });
      return Number(new TextRow(rows[0]).text("rows"));
    });
  }

  async #create(now: Date, ahead: number): Promise<void> {
    const partition = `"${this.#tables.schema}".usage_row_${monthName(now, ahead)}`;
    // Checked first, since CREATE IF NOT EXISTS requires the permission to create even when the table exists.
    if (await this.#exists(partition)) return;
    try {
      await inTransaction(this.#pool, async (connection) => {
        await connection.query({ text: "SET LOCAL lock_timeout = '2s'" });
        await connection.query({
          text: `CREATE TABLE IF NOT EXISTS ${partition} PARTITION OF ${this.#tables.usageRow}
                 FOR VALUES FROM ('${monthStart(now, ahead)}') TO ('${monthStart(now, ahead + 1)}')`,
        });
      });
    } catch (error) {
      // IF NOT EXISTS does not see a table that another process is creating at the same time.
      if (!(await this.#exists(partition))) throw error;
    }
  }

  async #exists(partition: string): Promise<boolean> {
    const text = "SELECT to_regclass($1)::text AS found";
    const { rows } = await this.#pool.query({ text, values: [partition] });
    return new TextRow(rows[0]).optionalText("found") !== undefined;
  }
}

function monthStart(now: Date, ahead: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString();
}

/** Such as 2026_11. */
function monthName(now: Date, ahead: number): string {
  return monthStart(now, ahead).slice(0, 7).replace("-", "_");
}
