import {
  checkedWholeNumber,
  dialects,
  hasFailed,
  latencyBucket,
  type TargetAttempts,
  type TimelineStep,
  toStorableText,
  type UsagePage,
  type UsagePosition,
  type UsageRow,
  type UsageStore,
  wasRefused,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { nextTurn } from "./lock-queue.ts";
import { type Parameter, searchable } from "./parameters.ts";
import type { Row } from "./row.ts";
import type { Command } from "./statement.ts";
import { allOf, type Condition, filterConditions } from "./usage-conditions.ts";
import { stepSize } from "./usage-steps.ts";

/** Rows that one call of `prune` removes, so that it does not block the event loop for long. */
const pruneLimit = 1_000;

/** The rows of tollgate_usage. */
export class UsageRows {
  readonly #connection: Connection;
  readonly #add: Command;
  readonly #prune: Command;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#add = connection.command(
      `INSERT INTO tollgate_usage (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
       ON CONFLICT (id, at) DO NOTHING`,
    );
    this.#prune = connection.command(
      `DELETE FROM tollgate_usage WHERE rowid IN (SELECT rowid FROM tollgate_usage WHERE at < ? LIMIT ${pruneLimit})`,
    );
  }

  /** Returns false for a row that exists. */
  add(row: UsageRow): boolean {
    // One row with such a text must not hold up all others.
    const values = valuesOf(row).map((value) => (typeof value === "string" ? toStorableText(value) : value));
    return this.#add.run(...values) > 0;
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
    const last = rows.at(-1);
    return found.length > wanted && last !== undefined ? { rows, next: { at: last.at, id: last.id } } : { rows };
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
}

const columns = [
  ...["id", "at", "request_id", "account", "key_id", "plan", "endpoint", "dialect", "model", "provider"],
  ...["upstream_model", "status", "error_code", "ending", "failed", "input", "cached_input", "cache_write_5m"],
  ...["cache_write_1h", "output", "reasoning", "estimated", "cost", "upstream_cost", "hold_id", "duration_ms"],
  ...["duration_bucket", "first_content_ms", "first_content_bucket", "attempts", "session_id", "end_user", "tags"],
  ...["timeline", "attempts_by_target", "answer_id"],
];

const isBefore = ({ at, id }: UsagePosition): Condition => ({ sql: "(at, id) < (?, ?)", values: [at, searchable(id)] });

const isFrom = ({ at, id }: UsagePosition): Condition => ({ sql: "(at, id) >= (?, ?)", values: [at, id] });

/** The values of a row in the order of the columns. */
function valuesOf(row: UsageRow): readonly Parameter[] {
  const { tokens, target, firstContentMs } = row;
  return [
    ...[row.id, row.at, row.requestId, row.account, row.keyId, row.plan, row.endpoint, row.dialect, row.model],
    ...[
      target?.provider,
      target?.upstreamModel,
      row.status,
      row.errorCode,
      row.ending,
      Number(hasFailed(row) || wasRefused(row)),
    ],
    ...[tokens.input, tokens.cachedInput, tokens.cacheWrite5m, tokens.cacheWrite1h, tokens.output, tokens.reasoning],
    ...[Number(row.estimated), row.cost, row.upstreamCost, row.holdId, row.durationMs, latencyBucket(row.durationMs)],
    ...[firstContentMs, firstContentMs === undefined ? undefined : latencyBucket(firstContentMs), row.attempts],
    ...[row.sessionId, row.endUser, JSON.stringify(row.tags), JSON.stringify(row.timeline)],
    ...[row.attemptsByTarget && JSON.stringify(row.attemptsByTarget), row.answerId],
  ];
}

function toUsageRow(row: Row): UsageRow {
  const count = (column: string) => Number(row.integer(column));
  return {
    id: row.text("id"),
    at: row.time("at"),
    requestId: row.text("request_id"),
    account: row.text("account"),
    keyId: row.text("key_id"),
    plan: row.text("plan"),
    endpoint: row.text("endpoint"),
    dialect: row.oneOf("dialect", dialects),
    status: count("status"),
    ending: row.text("ending"),
    tokens: {
      input: count("input"),
      cachedInput: count("cached_input"),
      cacheWrite5m: count("cache_write_5m"),
      cacheWrite1h: count("cache_write_1h"),
      output: count("output"),
      reasoning: count("reasoning"),
    },
    estimated: row.integer("estimated") !== 0n,
    cost: row.integer("cost"),
    durationMs: count("duration_ms"),
    attempts: count("attempts"),
    tags: row.json("tags", isTags),
    timeline: row.json("timeline", isTimeline),
    ...optionalMembers(row),
  };
}

function optionalMembers(row: Row): Partial<UsageRow> {
  const [provider, upstreamModel] = [row.optionalText("provider"), row.optionalText("upstream_model")];
  const [upstreamCost, firstContentMs] = [
    row.optionalInteger("upstream_cost"),
    row.optionalInteger("first_content_ms"),
  ];
  const attemptsByTarget = row.optionalJson("attempts_by_target");
  const texts = {
    answerId: row.optionalText("answer_id"),
    model: row.optionalText("model"),
    errorCode: row.optionalText("error_code"),
    holdId: row.optionalText("hold_id"),
    sessionId: row.optionalText("session_id"),
    endUser: row.optionalText("end_user"),
  };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...(provider === undefined || upstreamModel === undefined ? {} : { target: { provider, upstreamModel } }),
    ...(upstreamCost === undefined ? {} : { upstreamCost }),
    ...(firstContentMs === undefined ? {} : { firstContentMs: Number(firstContentMs) }),
    ...(isAttempts(attemptsByTarget) ? { attemptsByTarget } : {}),
  };
}

const isTags = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((tag) => typeof tag === "string");

const isAttempts = (value: unknown): value is readonly TargetAttempts[] => Array.isArray(value);

const isTimeline = (value: unknown): value is readonly TimelineStep[] => Array.isArray(value);
