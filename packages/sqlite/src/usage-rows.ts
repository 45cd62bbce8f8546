import { nextOf, readUsageRow, usageColumns } from "@tollgate/core/internal";
import {
  checkedWholeNumber,
  type ForgottenUsage,
  type TimelineStep,
  toStorableText,
  type UsagePage,
  type UsagePosition,
  type UsageRow,
  type UsageStore,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Condition } from "./filtered-query.ts";
import { nextTurn } from "./lock-queue.ts";
import { type Parameter, searchable } from "./parameters.ts";
import type { Row } from "./row.ts";
import type { Command, Query } from "./statement.ts";
import { allOf, filterConditions } from "./usage-conditions.ts";
import { stepSize } from "./usage-steps.ts";

/** Rows that one call of `prune` removes or one of `forget` reads, so that it does not block the event loop for long. */
const pruneLimit = 1_000;

/** The rows of tollgate_usage. */
export class UsageRows {
  readonly #connection: Connection;
  readonly #add: Command;
  readonly #prune: Command;
  readonly #forget: Command;
  readonly #lastOfBatch: Query<UsagePosition>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#add = connection.command(
      `INSERT INTO tollgate_usage (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
       ON CONFLICT (id, at) DO NOTHING`,
    );
    this.#prune = connection.command(
      `DELETE FROM tollgate_usage WHERE rowid IN (SELECT rowid FROM tollgate_usage WHERE at < ? LIMIT ${pruneLimit})`,
    );
    this.#forget = connection.command(
      `UPDATE tollgate_usage SET end_user = NULL, tags = '[]', timeline = '[]' WHERE rowid IN (
         SELECT rowid FROM tollgate_usage WHERE account = ? AND (at, id) > (?, ?) AND (at, id) <= (?, ?)
            AND (end_user IS NOT NULL OR tags <> '[]' OR timeline <> '[]'))`,
    );
    this.#lastOfBatch = connection.query(
      `SELECT at, id FROM tollgate_usage WHERE account = ? AND (at, id) > (?, ?)
        ORDER BY at, id LIMIT 1 OFFSET ${pruneLimit - 1}`,
      (row) => ({ at: row.time("at"), id: row.text("id") }),
    );
  }

  /** Returns false for a row that exists. */
  add(row: UsageRow): boolean {
    return this.#add.run(...valuesOf(row)) > 0;
  }

  /** Reads a page. A filter without an index is checked in steps, since few rows may match it. */
  async page({ from, to, filter, limit, before }: Parameters<UsageStore["list"]>[0]): Promise<UsagePage> {
    const wanted = checkedWholeNumber("limit", limit, 1);
    const { indexed, isLookup, others } = filterConditions(filter);
    const period: Condition[] = [indexed];
    if (from !== undefined) period.push({ sql: "at >= ?", values: [from] });
    if (to !== undefined) period.push({ sql: "at < ?", values: [to] });
    const found: UsageRow[] = [];
    for (let start: UsagePosition | undefined = before; ; ) {
      const within = start === undefined ? period : [...period, isBefore(start)];
      const end = isLookup || others.length === 0 ? undefined : await this.#connection.read(() => this.#border(within));
      const step = [...within, ...(end === undefined ? [] : [isFrom(end)]), ...others];
      found.push(...(await this.#connection.read(() => this.#select(step, wanted + 1 - found.length))));
      if (end === undefined || found.length > wanted) break;
      start = end;
      await nextTurn();
    }
    const rows = found.slice(0, wanted);
    return { rows, ...nextOf(rows, found.length, ({ at, id }) => ({ at, id })) };
  }

  #select(conditions: readonly Condition[], limit: number): readonly UsageRow[] {
    const { sql, values } = allOf(conditions);
    const select = `SELECT ${columns.join(", ")} FROM tollgate_usage WHERE ${sql} ORDER BY at DESC, id DESC LIMIT ?`;
    return this.#connection.query(select, toUsageRow).all(...values, limit);
  }

  /** Returns the position of the last row of a step. Undefined: fewer rows are left. */
  #border(conditions: readonly Condition[]): UsagePosition | undefined {
    const { sql, values } = allOf(conditions);
    const select = `SELECT at, id FROM tollgate_usage WHERE ${sql} ORDER BY at DESC, id DESC LIMIT 1 OFFSET ${stepSize - 1}`;
    return this.#connection.query(select, (row) => ({ at: row.time("at"), id: row.text("id") })).first(...values);
  }

  prune(before: Date): number {
    return this.#prune.run(before);
  }

  /** Erases the end users, tags and timelines of an account in one batch of rows after a position. */
  forget(account: string, after: UsagePosition = first): ForgottenUsage {
    const start = [searchable(account), after.at, searchable(after.id)] as const;
    const next = this.#lastOfBatch.first(...start);
    const { at, id } = next ?? last;
    const changed = this.#forget.run(...start, at, id);
    return next === undefined ? { changed } : { changed, next };
  }
}

/** Positions before and after all rows. */
const first: UsagePosition = { at: new Date(-8.64e15), id: "" };
const last: UsagePosition = { at: new Date(8.64e15), id: "" };

const columns = [
  ...(["id", "at", "request_id", "account", "key_id", "plan", "endpoint", "dialect", "model", "provider"] as const),
  ...(["upstream_model", "status", "error_code", "ending", "failed", "input", "cached_input"] as const),
  ...(["cache_write_5m", "cache_write_1h", "output", "reasoning", "estimated", "cost", "upstream_cost"] as const),
  ...(["hold_id", "duration_ms", "duration_bucket", "first_content_ms", "first_content_bucket"] as const),
  ...(["attempts", "session_id", "end_user", "tags", "timeline", "attempts_by_target", "answer_id"] as const),
];

const isBefore = ({ at, id }: UsagePosition): Condition => ({ sql: "(at, id) < (?, ?)", values: [at, searchable(id)] });

const isFrom = ({ at, id }: UsagePosition): Condition => ({ sql: "(at, id) >= (?, ?)", values: [at, id] });

/** The values of a row in the order of the columns. A text that SQLite cannot store is replaced, since it must not hold up all other rows. */
function valuesOf(row: UsageRow): readonly Parameter[] {
  const values = { ...usageColumns(row), account: row.account, tags: JSON.stringify(row.tags) };
  return columns.map((column): Parameter => {
    const value = values[column];
    return typeof value === "boolean" ? Number(value) : typeof value === "string" ? toStorableText(value) : value;
  });
}

const toUsageRow = (row: Row): UsageRow =>
  readUsageRow(row, {
    account: row.text("account"),
    estimated: row.integer("estimated") !== 0n,
    tags: row.json("tags", isTags),
    timeline: row.json("timeline", isTimeline),
  });

const isTags = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((tag) => typeof tag === "string");

const isTimeline = (value: unknown): value is readonly TimelineStep[] => Array.isArray(value);
