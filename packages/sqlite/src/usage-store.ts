import type { Awaitable } from "@tollgate/core/internal";
import {
  type AttemptCount,
  attemptCounts,
  groupAttempts,
  startOfBucket,
  type TargetAttempts,
  toStorableText,
  type UsagePage,
  type UsageQuery,
  type UsageRow,
  type UsageStore,
  type UsageSummaryRow,
} from "@tollgate/core/store";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";
import type { Command, Query } from "./statement.ts";
import { UsageRows } from "./usage-rows.ts";
import { readSummary } from "./usage-summary.ts";
import { UsageTotalRows } from "./usage-totals.ts";

/** A UsageStore in SQLite, on a database that the host opens. {@link sqliteStores} lists the settings it changes. */
export function sqliteUsageStore(database: SqliteDatabase): UsageStore {
  return new UsageInSqlite(new Connection(database));
}

/** The number of rows in one transaction. A batch of 500 would block the event loop four times as long. */
const partSize = 100;

/** The UsageStore on an open connection. */
export class UsageInSqlite implements UsageStore {
  readonly #connection: Connection;
  readonly #rows: UsageRows;
  readonly #totals: UsageTotalRows;
  readonly #attempts: UsageAttemptRows;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#rows = new UsageRows(connection);
    this.#totals = new UsageTotalRows(connection);
    this.#attempts = new UsageAttemptRows(connection);
  }

  async record(rows: readonly UsageRow[]): Promise<number> {
    let added = 0;
    for (let first = 0; first < rows.length; first += partSize)
      added += await this.#connection.write(() => this.#add(rows.slice(first, first + partSize)));
    return added;
  }

  #add(rows: readonly UsageRow[]): number {
    const added = rows.filter((row) => this.#rows.add(row));
    this.#totals.add(added);
    this.#attempts.add(added);
    return added.length;
  }

  async summary(query: UsageQuery): Promise<readonly UsageSummaryRow[]> {
    return readSummary(this.#connection, query);
  }

  async list(query: Parameters<UsageStore["list"]>[0]): Promise<UsagePage> {
    return this.#rows.page(query);
  }

  attempts({ from, to }: Parameters<UsageStore["attempts"]>[0]): Awaitable<readonly TargetAttempts[]> {
    return this.#connection.read(() => this.#attempts.between(from, to));
  }

  prune(before: Date): Awaitable<number> {
    return this.#connection.write(() => {
      this.#totals.prune(before);
      return this.#rows.prune(before);
    });
  }
}

/** The rows of tollgate_usage_attempt: attempts by hour, target and failure. */
export class UsageAttemptRows {
  readonly #add: Command;
  readonly #between: Query<AttemptCount>;

  constructor(connection: Connection) {
    this.#add = connection.command(
      `INSERT INTO tollgate_usage_attempt (start, provider, upstream_model, failure, attempts) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET attempts = attempts + excluded.attempts`,
    );
    this.#between = connection.query(
      `SELECT provider, upstream_model, failure, sum(attempts) AS attempts FROM tollgate_usage_attempt
       WHERE start >= ? AND start < ? GROUP BY 1, 2, 3`,
      (row) => ({
        provider: row.text("provider"),
        upstreamModel: row.text("upstream_model"),
        failure: row.text("failure"),
        attempts: Number(row.integer("attempts")),
      }),
    );
  }

  /** Counts the attempts of new rows. */
  add(rows: readonly UsageRow[]): void {
    for (const row of rows) {
      const hour = startOfBucket("hour", row.at.getTime());
      for (const { provider, upstreamModel, failure, attempts } of attemptCounts(row)) {
        this.#add.run(hour, toStorableText(provider), toStorableText(upstreamModel), failure, attempts);
      }
    }
  }

  between(from: Date, to: Date): readonly TargetAttempts[] {
    return groupAttempts(this.#between.all(startOfBucket("hour", from.getTime()), to));
  }
}
