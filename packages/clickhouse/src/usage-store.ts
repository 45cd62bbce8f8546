import { kindName, nextOf, requireKnown } from "@tollgate/core/internal";
import {
  checkedWholeNumber,
  type ForgottenUsage,
  groupAttempts,
  prunedKinds,
  startOfBucket,
  type TargetAttempts,
  type UsagePage,
  type UsageQuery,
  type UsageRow,
  type UsageStore,
  type UsageSummaryRow,
} from "@tollgate/core/store";
import type { ClickHouseClient } from "./client.ts";
import { Database } from "./database.ts";
import { equalSql, literal, literals, timeSql } from "./sql.ts";
import { readAttemptName } from "./usage-block.ts";
import { filterSql, isRow } from "./usage-conditions.ts";
import { rowsSql, toUsageRow } from "./usage-row.ts";
import { readSummary } from "./usage-summary.ts";
import { UsageWriter } from "./usage-writer.ts";

/** The options of {@link clickhouseUsageStore} and {@link clickhouseContentStore}. */
export interface ClickHouseStoreOptions {
  /** The database of the tables. The default is "tollgate". */
  readonly database?: string;
}

/**
 * A UsageStore in ClickHouse, on tables that {@link migrateClickHouse} creates. Any number of processes can record the same rows, and
 * each counts once. It keeps no totals by tag: those are read from rows, and end with them. `forget` rewrites the parts that have
 * rows of the account.
 */
export function clickhouseUsageStore(client: ClickHouseClient, options: ClickHouseStoreOptions = {}): UsageStore {
  requireKnown("clickhouseUsageStore", options, { database: true });
  return new UsageInClickHouse(new Database(client, options.database));
}

class UsageInClickHouse implements UsageStore {
  readonly #database: Database;
  readonly #usage: string;
  readonly #writer: UsageWriter;

  constructor(database: Database) {
    this.#database = database;
    this.#usage = database.usage;
    this.#writer = new UsageWriter(database);
  }

  async record(rows: readonly UsageRow[]): Promise<number> {
    return rows.length === 0 ? 0 : this.#writer.add(rows);
  }

  async summary(query: UsageQuery): Promise<readonly UsageSummaryRow[]> {
    return readSummary(this.#database, query);
  }

  async attempts({ from, to }: Parameters<UsageStore["attempts"]>[0]): Promise<readonly TargetAttempts[]> {
    const first = new Date(startOfBucket("hour", from.getTime()));
    const rows = await this.#database.rows(
      `SELECT scope, name, toString(sum(requests)) AS attempts FROM ${this.#usage}
        WHERE kind = 'attempt' AND start >= ${timeSql(first)} AND start < ${timeSql(to)} GROUP BY scope, name`,
    );
    return groupAttempts(
      rows.map((row) => ({
        provider: row.text("scope"),
        ...readAttemptName(row.text("name")),
        attempts: Number(row.text("attempts")),
      })),
    );
  }

  async list({ from, to, filter, limit, before }: Parameters<UsageStore["list"]>[0]): Promise<UsagePage> {
    const wanted = checkedWholeNumber("limit", limit, 1);
    const conditions = [
      isRow,
      ...filterSql(filter),
      ...(from === undefined ? [] : [`start >= ${timeSql(from)}`]),
      ...(to === undefined ? [] : [`start < ${timeSql(to)}`]),
      ...(before === undefined
        ? []
        : [`start <= ${timeSql(before.at)}`, `(start, name) < (${timeSql(before.at)}, ${literal(before.id)})`]),
    ];
    const found = await this.#database.rows(rowsSql(this.#usage, conditions.join(" AND "), wanted + 1));
    const rows = found.slice(0, wanted).map(toUsageRow);
    return { rows, ...nextOf(rows, found.length, ({ at, id }) => ({ at, id })) };
  }

  async prune(before: Date): Promise<number> {
    const old = `${isRow} AND start < ${timeSql(before)}`;
    const removed = await this.#count(old);
    const hour = new Date(startOfBucket("hour", before.getTime()));
    const kinds = literals(prunedKinds.map(kindName));
    // A deletion reads every part of the table.
    if (removed > 0)
      await this.#database.run(
        `DELETE FROM ${this.#usage} WHERE (${old}) OR (kind IN ${kinds} AND start < ${timeSql(hour)})`,
      );
    return removed;
  }

  async forget({ account }: Parameters<UsageStore["forget"]>[0]): Promise<ForgottenUsage> {
    const told = `${isRow} AND ${equalSql("account_id", account)} AND (end_user IS NOT NULL OR notEmpty(tags) OR timeline != '[]')`;
    const changed = await this.#count(told);
    if (changed > 0)
      await this.#database.run(
        `ALTER TABLE ${this.#usage} UPDATE end_user = NULL, tags = [], timeline = '[]' WHERE ${told}`,
      );
    return { changed };
  }

  #count(condition: string): Promise<number> {
    return this.#database.count(`SELECT count() AS counted FROM ${this.#usage} WHERE ${condition}`);
  }
}
