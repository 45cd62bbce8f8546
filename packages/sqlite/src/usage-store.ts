import type { Awaitable } from "@tollgate/core/internal";
import type {
  TargetAttempts,
  UsagePage,
  UsageQuery,
  UsageRow,
  UsageStore,
  UsageSummaryRow,
} from "@tollgate/core/store";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";
import { UsageAttemptRows } from "./usage-attempts.ts";
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
