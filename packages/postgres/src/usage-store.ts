import { nextOf, requireKnown } from "@tollgate/core/internal";
import {
  checkedWholeNumber,
  type ForgottenUsage,
  groupAttempts,
  startOfBucket,
  type TargetAttempts,
  type UsagePage,
  type UsageQuery,
  type UsageRow,
  type UsageStore,
  type UsageSummaryRow,
} from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import {
  attemptsStatement,
  forgetUsageStatement,
  pruneUsageStatement,
  recordUsageStatement,
  rowColumns,
} from "./statements/usage.ts";
import { filterSql, Values } from "./usage-conditions.ts";
import { UsagePartitions } from "./usage-partitions.ts";
import { attemptsToJson, toJson, toUsageRow } from "./usage-row.ts";
import { readSummary } from "./usage-summary.ts";

/** The options of {@link postgresUsageStore}. */
export interface PostgresUsageStoreOptions {
  /** The schema of the tables. The default is "tollgate". */
  readonly schema?: string;
  /**
   * Called when the partition of a month cannot be created, at most once an hour. The rows go to the default partition.
   * The default writes the message to `console.error`.
   */
  readonly onPartitionFailure?: (error: Error) => void;
}

/**
 * A UsageStore in PostgreSQL, on tables that {@link migratePostgres} creates in the schema. Rows are partitioned by month
 * (UTC). The store creates the partitions of this month and the next itself, for which its role must own the table.
 */
export function postgresUsageStore(pool: PostgresPool, options: PostgresUsageStoreOptions = {}): UsageStore {
  requireKnown("postgresUsageStore", options, { schema: true, onPartitionFailure: true });
  return new UsageInPostgres(pool, new Database(pool, options.schema), options.onPartitionFailure);
}

/** The UsageStore on one database. */
export class UsageInPostgres implements UsageStore {
  readonly #pool: PostgresPool;
  readonly #database: Database;
  readonly #partitions: UsagePartitions;

  constructor(pool: PostgresPool, database: Database, onPartitionFailure: (error: Error) => void = printFailure) {
    this.#pool = pool;
    this.#database = database;
    this.#partitions = new UsagePartitions(pool, database.tables, onPartitionFailure);
  }

  async record(rows: readonly UsageRow[]): Promise<number> {
    if (rows.length === 0) return 0;
    await this.#partitions.ensure();
    const row = await this.#database.runForOne(recordUsageStatement, [toJson(rows), attemptsToJson(rows)]);
    return Number(row.text("added"));
  }

  summary(query: UsageQuery): Promise<readonly UsageSummaryRow[]> {
    return readSummary(this.#pool, this.#database.tables, query);
  }

  async attempts({ from, to }: Parameters<UsageStore["attempts"]>[0]): Promise<readonly TargetAttempts[]> {
    const first = startOfBucket("hour", from.getTime());
    const rows = await this.#database.run(attemptsStatement, [first, to.getTime()]);
    return groupAttempts(
      rows.map((row) => ({
        provider: row.text("provider"),
        upstreamModel: row.text("upstream_model"),
        failure: row.text("failure"),
        attempts: Number(row.text("attempts")),
      })),
    );
  }

  async list({ from, to, filter, limit, before }: Parameters<UsageStore["list"]>[0]): Promise<UsagePage> {
    const wanted = checkedWholeNumber("limit", limit, 1);
    const values = new Values();
    const conditions = [
      "TRUE",
      ...filterSql(values, filter),
      ...(from === undefined ? [] : [`usage_row.at >= ${values.time(from)}`]),
      ...(to === undefined ? [] : [`usage_row.at < ${values.time(to)}`]),
      ...(before === undefined
        ? []
        : [`(usage_row.at, id) < (${values.time(before.at)}, ${values.add(before.id)}::text)`]),
    ];
    // Qualified, because the bare name refers to the text column.
    const sql = `SELECT ${rowColumns} FROM ${this.#database.tables.usageRow} AS usage_row WHERE ${conditions.join(" AND ")}
      ORDER BY usage_row.at DESC, usage_row.id DESC LIMIT ${values.add(wanted + 1)}::bigint`;
    const found = (await this.#database.runOnce(sql, values.list)).map(toUsageRow);
    const rows = found.slice(0, wanted);
    return { rows, ...nextOf(rows, found.length, ({ at, id }) => ({ at, id })) };
  }

  async forget({ account, after }: Parameters<UsageStore["forget"]>[0]): Promise<ForgottenUsage> {
    const values = [account, after?.at.getTime() ?? null, after?.id ?? null];
    const row = await this.#database.runForOne(forgetUsageStatement, values);
    const [changed, id] = [Number(row.text("changed")), row.optionalText("id")];
    return id === undefined ? { changed } : { changed, next: { at: row.time("at"), id } };
  }

  async prune(before: Date): Promise<number> {
    const dropped = await this.#partitions.dropBefore(before);
    if (dropped > 0) return dropped;
    const row = await this.#database.runForOne(pruneUsageStatement, [before.getTime()]);
    return Number(row.text("pruned"));
  }
}

function printFailure(error: Error): void {
  console.error(`tollgate: ${error.message}`);
}
