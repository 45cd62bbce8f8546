import { DatabaseSync } from "@photostructure/sqlite";
import { memoryUsageStore } from "@tollgate/core";
import type { UsageQuery, UsageRow } from "@tollgate/core/store";
import { type SqliteDatabase, sqliteUsageStore } from "@tollgate/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const start = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;
const rowCount = 12_000;
/** The rows that one statement may read. */
const maxRows = 2_000;

/** 6,000 accounts in 50 hours, and three rows at each time. */
const row = (index: number): UsageRow => ({
  id: `id-${String((index * 7_919) % rowCount).padStart(5, "0")}`,
  at: new Date(start + Math.floor(index / 3) * 45_000),
  requestId: "r",
  account: `account-${index % 6_000}`,
  keyId: `key-${index % 7}`,
  plan: "pro",
  endpoint: "chat.completions",
  dialect: "chat",
  model: `model-${index % 5}`,
  target: { provider: "acme", upstreamModel: `up-${index % 3}` },
  status: index % 10 === 0 ? 502 : 200,
  ending: "complete",
  tokens: { input: index, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 },
  estimated: false,
  cost: BigInt(index % 1_000),
  durationMs: index % 900,
  attempts: 1,
  tags: index === 4 ? ["rare"] : [],
  timeline: [],
});

/** A statement that returned rows, and the turn of the event loop in which it ran. */
interface Read {
  readonly sql: string;
  readonly turn: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const turns = { count: 0, timer: undefined as NodeJS.Immediate | undefined };
const reads: Read[] = [];

/** A database that records what its statements return. */
function watched(database: InstanceType<typeof DatabaseSync>): SqliteDatabase {
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return new Proxy(statement, {
        get(target, name) {
          if (name !== "all") return Reflect.get(target, name).bind(target);
          return (...values: never[]) => {
            const rows = target.all(...values).map((each) => Object(each));
            reads.push({ sql, turn: turns.count, rows });
            return rows;
          };
        },
      });
    },
  };
}

describe("usage in SQLite with more rows than one step", () => {
  const database = new DatabaseSync(":memory:");
  const store = sqliteUsageStore(watched(database));
  const reference = memoryUsageStore();

  beforeAll(async () => {
    const rows = Array.from({ length: rowCount }, (_, index) => row(index));
    await store.record(rows);
    await reference.record(rows);
    const count = () => {
      turns.count += 1;
      turns.timer = setImmediate(count);
    };
    count();
  });
  afterAll(() => {
    clearImmediate(turns.timer);
    database.close();
  });

  const period = { from: new Date(start + 1_000), to: new Date(start + 50 * hourMs - 1_000) };
  const queries: readonly Omit<UsageQuery, "from" | "to">[] = [
    { bucket: "all", groupBy: "status" },
    { bucket: "hour", groupBy: "dialect" },
    { bucket: "hour", groupBy: "account", top: 3 },
    { bucket: "day", groupBy: "account", top: 100 },
    { bucket: "day", groupBy: "target", top: 2 },
    { bucket: "day", groupBy: "key", filter: { model: "model-2" }, top: 2 },
    { bucket: "month", filter: { key: "key-3", failed: true } },
    { bucket: "all", filter: { tag: "rare" } },
    { bucket: "day", groupBy: "tag", filter: { key: "key-4" } },
    { bucket: "all", groupBy: "end_user" },
    { bucket: "day", groupBy: "dialect", filter: { account: "account-4" } },
  ];

  it.each(queries)("sums up as the memory store does, and reads few rows in one turn: %j", async (query) => {
    reads.length = 0;
    expect(await store.summary({ ...period, ...query })).toEqual(await reference.summary({ ...period, ...query }));
    const ofRows = reads.filter(({ sql }) => /FROM tollgate_usage (?:WHERE|JOIN)/.test(sql) && sql.includes("AS sums"));
    for (const { rows } of ofRows) expect(requestsIn(rows)).toBeLessThanOrEqual(maxRows);
    expectOneInEachTurn();
  });

  it("reads the totals of many accounts in steps", async () => {
    reads.length = 0;
    await store.summary({
      from: new Date(start),
      to: new Date(start + 48 * hourMs),
      bucket: "day",
      groupBy: "account",
    });
    const ofTotals = reads.filter(({ sql }) => sql.includes("FROM tollgate_usage_total"));
    // 11,520 totals of accounts, read twice.
    expect(ofTotals.length).toBe(12);
    expectOneInEachTurn();
  });

  it.each([{ tag: "rare" }, { key: "key-4", tag: "rare" }, { failed: true, tag: "absent" }])(
    "looks for requests in steps: %j",
    async (filter) => {
      reads.length = 0;
      expect(await store.list({ filter, limit: 10 })).toEqual(await reference.list({ filter, limit: 10 }));
      expectOneInEachTurn();
    },
  );

  it("pages through a filtered list without gaps", async () => {
    const found: string[] = [];
    for (let before: { readonly at: Date; readonly id: string } | undefined; ; ) {
      const page = await store.list({ filter: { failed: true }, limit: 500, ...(before && { before }) });
      found.push(...page.rows.map(({ id }) => id));
      if (page.next === undefined) break;
      before = page.next;
    }
    const { rows } = await reference.list({ filter: { failed: true }, limit: rowCount });
    expect(found).toEqual(rows.map(({ id }) => id));
  });
});

function expectOneInEachTurn(): void {
  const busy = reads.map(({ turn }) => turn);
  expect(new Set(busy).size).toBe(busy.length);
  expect(busy.length).toBeGreaterThan(0);
}

/** The sum of the requests in packed sums, which begin with them. */
const requestsIn = (rows: Read["rows"]): number =>
  rows.reduce((sum, { sums }) => sum + Number(String(sums).split(",")[0]), 0);
