import { clickhouseContentStore, clickhouseUsageStore, migrateClickHouse } from "@tollgate/clickhouse";
import { contentStoreContract, usageStoreContract } from "@tollgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newRow } from "../bench/usage/new-row.ts";
import { type Chdb, startChdb } from "./chdb.ts";

const database = "stores";
let server: Chdb;
beforeAll(async () => {
  server = await startChdb();
  await Promise.all([1, 2].map(() => migrateClickHouse(server.client(), { database })));
}, 300_000);
afterAll(() => server.stop());

const onBoth = <Store>(make: (client: ReturnType<Chdb["client"]>, options: { database: string }) => Store) => ({
  store: make(server.client(), { database }),
  peer: make(server.client(), { database }),
});

describe("in ClickHouse", { timeout: 120_000 }, () => {
  const test = { describe, it };
  usageStoreContract({ test, create: () => onBoth(clickhouseUsageStore) });
  contentStoreContract({ test, create: () => onBoth(clickhouseContentStore) });
});

describe("the tables in ClickHouse", { timeout: 120_000 }, () => {
  it("are migrated again without effect", async () => {
    const store = clickhouseUsageStore(server.client(), { database });
    await store.record([newRow(1)]);
    await migrateClickHouse(server.client(), { database });
    expect((await store.list({ limit: 1 })).rows).toHaveLength(1);
  });

  it("of a newer version are refused", async () => {
    const newer = { database: "newer" };
    await migrateClickHouse(server.client(), newer);
    await server.client().command({ query: "INSERT INTO newer.migration (number, name) VALUES (99, 'later')" });
    await expect(migrateClickHouse(server.client(), newer)).rejects.toThrow(/Deploy a newer version/);
  });

  it("that are missing are reported with what creates them", async () => {
    const store = clickhouseUsageStore(server.client(), { database: "missing" });
    await expect(store.list({ limit: 1 })).rejects.toThrow(/Call migrateClickHouse/);
  });

  it("remove the rows of old requests by themselves, and keep their totals", async () => {
    const kept = { database: "kept" };
    await migrateClickHouse(server.client(), { ...kept, usageDays: 30, contentDays: 1 });
    await migrateClickHouse(server.client(), { ...kept, usageDays: 10, contentDays: 1 });
    const store = clickhouseUsageStore(server.client(), kept);
    const old = { ...newRow(1), at: new Date(Date.now() - 20 * 86_400_000) };
    // A row that is removed as soon as it is there counts once all the same.
    expect(await store.record([old, newRow(2)])).toBe(2);
    await server.client().command({ query: "OPTIMIZE TABLE kept.usage FINAL" });
    expect((await store.list({ limit: 10 })).rows).toHaveLength(1);
    const [total] = await store.summary({ from: new Date(0), to: new Date(Date.now() + 60_000), bucket: "all" });
    expect(total?.requests).toBe(2);
  });

  it("accept a block whose token the server knows from before a crash", async () => {
    const crashed = { database: "crashed" };
    await migrateClickHouse(server.client(), crashed);
    await server.client().insert({
      table: "crashed.usage",
      values: [{ kind: "of a test", start: "2026-11-01 00:00:00" }],
      format: "JSONEachRow",
      clickhouse_settings: { insert_deduplication_token: "2026-11-01 00:00:00.000 block 1.0" },
    });
    const row = { ...newRow(1), at: new Date("2026-11-27T10:00:00Z") };
    const store = clickhouseUsageStore(server.client(), crashed);
    expect(await store.record([row])).toBe(1);
    expect(await store.record([row])).toBe(0);
  });

  it("merge rows and totals without a change of any answer", async () => {
    const merged = { database: "merged" };
    await migrateClickHouse(server.client(), merged);
    const store = clickhouseUsageStore(server.client(), merged);
    for (let each = 0; each < 5; each++) await store.record(Array.from({ length: 20 }, (_, at) => newRow(at)));
    const query = { from: new Date(0), to: new Date(Date.now() + 60_000), bucket: "day", groupBy: "key" } as const;
    const read = async () => [await store.list({ limit: 200 }), await store.summary(query)];
    const before = await read();
    await server.client().command({ query: "OPTIMIZE TABLE merged.usage FINAL" });
    expect(await read()).toEqual(before);
  });
});
