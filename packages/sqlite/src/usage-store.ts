import type { Awaitable } from "@tollgate/core/internal";
import {
  type AttemptCount,
  attemptCounts,
  type ForgottenUsage,
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

/**
 * About how many rows and totals one transaction writes, so that it blocks the event loop for 20 ms and not for longer. The fewer
 * accounts and keys the rows are of, the fewer totals they have, and the more of them share a transaction.
 */
const partSize = 1_000;

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
    for (const part of partsOf(rows)) added += await this.#connection.write(() => this.#add(part));
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

  forget({ account, after }: Parameters<UsageStore["forget"]>[0]): Awaitable<ForgottenUsage> {
    return this.#connection.write(() => {
      if (after === undefined) this.#totals.forgetTags(account);
      return this.#rows.forget(account, after);
    });
  }

  prune(before: Date): Awaitable<number> {
    return this.#connection.write(() => {
      this.#totals.prune(before);
      return this.#rows.prune(before);
    });
  }
}

/** Divides rows into parts for one transaction each. */
function* partsOf(rows: readonly UsageRow[]): Generator<readonly UsageRow[]> {
  let first = 0;
  let subjects = new Set<string>();
  for (const [index, { account, keyId, model }] of rows.entries()) {
    if (index > first && index - first + totalsOfSubject * subjects.size >= partSize) {
      yield rows.slice(first, index);
      first = index;
      subjects = new Set();
    }
    subjects.add(`account ${account}`).add(`key ${keyId}`).add(`model ${account} ${model}`);
  }
  if (first < rows.length) yield rows.slice(first);
}

/** Of an account, a key, and a model that an account calls, on average. */
const totalsOfSubject = 3;

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
    for (const { hour, provider, upstreamModel, failure, attempts } of countedAttempts(rows))
      this.#add.run(hour, toStorableText(provider), toStorableText(upstreamModel), failure, attempts);
  }

  between(from: Date, to: Date): readonly TargetAttempts[] {
    return groupAttempts(this.#between.all(startOfBucket("hour", from.getTime()), to));
  }
}

/** Sums up the attempts of rows, so that each count is changed once for many rows. */
function countedAttempts(rows: readonly UsageRow[]) {
  const counts = new Map<string, AttemptCount & { readonly hour: number; attempts: number }>();
  for (const row of rows) {
    const hour = startOfBucket("hour", row.at.getTime());
    for (const count of attemptCounts(row)) {
      const name = `${hour} ${count.failure} ${count.provider}\0${count.upstreamModel}`;
      const known = counts.get(name);
      if (known === undefined) counts.set(name, { ...count, hour });
      else known.attempts += count.attempts;
    }
  }
  return counts.values();
}
