import type { UsageRow } from "@tollgate/core/store";
import { expect, it, vi } from "vitest";
import { watchedPool } from "../test-support/watched-pool.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { migratePostgres, postgresUsageStore } from "./index.ts";

const row = (at: Date, overrides: Partial<UsageRow> = {}): UsageRow => ({
  id: crypto.randomUUID(),
  at,
  requestId: "r",
  account: "acme",
  keyId: "key",
  plan: "pro",
  endpoint: "chat.completions",
  dialect: "chat",
  model: "m",
  status: 200,
  ending: "complete",
  tokens: { input: 1, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 },
  estimated: false,
  cost: 1n,
  durationMs: 1,
  attempts: 1,
  tags: [],
  timeline: [],
  ...overrides,
});

/** The start of the month after a number of others, and the name of its partition. */
function monthAhead(ahead: number): { readonly start: Date; readonly partition: string } {
  const now = new Date();
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
  return { start, partition: `usage_row_${start.toISOString().slice(0, 7).replace("-", "_")}` };
}

describeWithPostgres("usage in PostgreSQL", ({ schema, pool }) => {
  const server = pool();
  const partitionOf = async (id: string, inSchema = schema): Promise<unknown> => {
    const found = await server.query(
      `SELECT class.relname FROM "${inSchema}".usage_row AS usage JOIN pg_class AS class ON class.oid = usage.tableoid WHERE id = $1`,
      [id],
    );
    return found.rows[0]?.relname;
  };

  it("creates the partitions of this month and the next, and puts rows of other months into the default one", async () => {
    const store = postgresUsageStore(server, { schema });
    const [now, next, later] = [0, 1, 2].map((ahead) => row(monthAhead(ahead).start));
    await store.record([now, next, later].flatMap((each) => (each === undefined ? [] : [each])));
    expect(await partitionOf(now?.id ?? "")).toBe(monthAhead(0).partition);
    expect(await partitionOf(next?.id ?? "")).toBe(monthAhead(1).partition);
    expect(await partitionOf(later?.id ?? "")).toBe("usage_row_default");
  });

  it("reports no failure if another process creates a partition at the same time", async () => {
    const other = `${schema.slice(0, 30)}_raced`;
    await migratePostgres(server, { schema: other });
    const failures: string[] = [];
    const { start, partition } = monthAhead(0);
    const process = await server.connect();
    await process.query("BEGIN");
    await process.query(
      `CREATE TABLE "${other}".${partition} PARTITION OF "${other}".usage_row
       FOR VALUES FROM ('${start.toISOString()}') TO ('${monthAhead(1).start.toISOString()}')`,
    );
    const onPartitionFailure = ({ message }: Error) => void failures.push(message);
    const recorded = postgresUsageStore(server, { schema: other, onPartitionFailure }).record([row(start)]);
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND position($1 IN query) > 0";
    await vi.waitUntil(async () => (await server.query(waiting, [`"${other}".${partition}`])).rows.length > 0, {
      timeout: 10_000,
    });
    await process.query("COMMIT");
    process.release();
    await recorded;
    await server.query(`DROP SCHEMA "${other}" CASCADE`);
    expect(failures).toEqual([]);
  });

  it("records in the default partition without the right to create one, and says so once", async () => {
    const other = `${schema.slice(0, 30)}_limited`;
    const role = `${other}_role`;
    await migratePostgres(server, { schema: other });
    await server.query(`CREATE ROLE "${role}"; GRANT USAGE ON SCHEMA "${other}" TO "${role}"`);
    await server.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${other}" TO "${role}"`);
    const limited = pool({ options: `-c role=${role}` });
    const failures: string[] = [];
    const store = postgresUsageStore(limited, {
      schema: other,
      onPartitionFailure: ({ message }) => failures.push(message),
    });
    try {
      const rows = [row(new Date()), row(new Date())];
      for (const each of rows) expect(await store.record([each])).toBe(1);
      expect(await partitionOf(rows[0]?.id ?? "", other)).toBe("usage_row_default");
      expect(failures).toEqual([expect.stringMatching(/go to the default partition. Grant the role CREATE/)]);
    } finally {
      await server.query(`DROP SCHEMA "${other}" CASCADE; DROP OWNED BY "${role}"; DROP ROLE "${role}"`);
    }
  });

  it("drops whole months, and deletes the rows of others", async () => {
    const store = postgresUsageStore(server, { schema });
    const old = monthAhead(-3);
    await server.query(
      `CREATE TABLE "${schema}".${old.partition} PARTITION OF "${schema}".usage_row
       FOR VALUES FROM ('${old.start.toISOString()}') TO ('${monthAhead(-2).start.toISOString()}')`,
    );
    const kept = row(monthAhead(-1).start);
    const olds = [row(old.start), row(new Date(old.start.getTime() + 1)), row(monthAhead(-2).start)];
    await store.record([...olds, kept]);
    expect(await partitionOf(olds[0]?.id ?? "")).toBe(old.partition);
    expect(await store.prune(kept.at)).toBe(2);
    expect(await store.prune(kept.at)).toBe(1);
    expect(await store.prune(kept.at)).toBe(0);
    const left = await server.query(`SELECT to_regclass('"${schema}".${old.partition}') AS found`);
    expect(left.rows[0]?.found).toBeNull();
    expect(await partitionOf(kept.id)).toBe("usage_row_default");
  });

  it("does not deadlock when writers add rows and totals in different orders", async () => {
    const watched = watchedPool(pool({ max: 10 }));
    const store = postgresUsageStore(watched, { schema });
    const rows = Array.from({ length: 200 }, (_, index) =>
      row(new Date(Date.now() - index * 3_600_000), { keyId: `key-${index % 17}`, account: `account-${index % 13}` }),
    );
    const batches = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? rows : rows.toReversed()).slice(index));
    const added = await Promise.all(batches.map(async (batch) => store.record(batch)));
    expect(added.reduce((sum, count) => sum + count, 0)).toBe(200);
    expect(watched.errors).toEqual([]);
  });
});
