import { clickhouseUsageStore, migrateClickHouse } from "@tollgate/clickhouse";
import type { UsageStore } from "@tollgate/core/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newRow } from "../bench/usage/new-row.ts";
import { printFigures } from "../faults/figures.ts";
import { type Chdb, startChdb } from "./chdb.ts";
import { generateYear } from "./year.ts";

const rows = process.env["CLICKHOUSE"] === "long" ? 50_000_000 : 5_000_000;
const samples = 7;
const [hourMs, dayMs] = [3_600_000, 86_400_000];

let server: Chdb;
let store: UsageStore;
beforeAll(async () => {
  server = await startChdb();
  const client = server.client();
  await migrateClickHouse(client);
  await generateYear(client, "tollgate.usage", rows);
  await client.command({ query: "OPTIMIZE TABLE tollgate.usage FINAL" });
  store = clickhouseUsageStore(client);
}, 1_800_000);
afterAll(() => server.stop());

const last = (periodMs: number) => ({ from: new Date(Date.now() - periodMs), to: new Date() });
const account = "account-17";

/** What the pages of the dashboard and the portal ask. */
const questions: Readonly<Record<string, () => unknown>> = {
  "24 hours by model": () => store.summary({ ...last(dayMs), bucket: "hour", groupBy: "model" }),
  "30 days by model": () => store.summary({ ...last(30 * dayMs), bucket: "day", groupBy: "model" }),
  "30 days by account": () => store.summary({ ...last(30 * dayMs), bucket: "day", groupBy: "account" }),
  "a year by target": () => store.summary({ ...last(365 * dayMs), bucket: "month", groupBy: "target" }),
  "a year by key": () => store.summary({ ...last(365 * dayMs), bucket: "all", groupBy: "key" }),
  "30 days of an account by model": () =>
    store.summary({ ...last(30 * dayMs), bucket: "day", groupBy: "model", filter: { account } }),
  "a year of an account": () => store.summary({ ...last(365 * dayMs), bucket: "month", filter: { account } }),
  "24 hours by status, from rows": () => store.summary({ ...last(dayMs), bucket: "hour", groupBy: "status" }),
  "attempts of 24 hours": () => store.attempts(last(dayMs)),
  "the newest requests": () => store.list({ limit: 50 }),
  "the newest requests of an account": () => store.list({ limit: 50, filter: { account } }),
  "the failed requests of an hour": () => store.list({ ...last(hourMs), limit: 50, filter: { failed: true } }),
  "a request by its id": () => store.list({ limit: 1, filter: { requestId: "req_1234567" } }),
};

describe(`a year of ${rows.toLocaleString("en-US")} rows in ClickHouse`, () => {
  it.each(Object.entries(questions))("answers: %s", { timeout: 60_000 }, async (name, ask) => {
    const times: number[] = [];
    await ask();
    for (let sample = 0; sample < samples; sample++) {
      const startedAt = performance.now();
      await ask();
      times.push(performance.now() - startedAt);
    }
    const [median = 0] = times.toSorted((a, b) => a - b).slice(samples >> 1);
    printFigures(name, { "median ms": Math.round(median), "slowest ms": Math.round(Math.max(...times)) });
    // Without totals and order, each takes seconds.
    expect(median).toBeLessThan(1_000);
  });

  it("adds up the totals of the year exactly as its rows", { timeout: 120_000 }, async () => {
    const period = { from: new Date(Date.now() - 40 * dayMs), to: new Date(Date.now() - 10 * dayMs) };
    const [fromTotals] = await store.summary({ ...period, bucket: "all", filter: { account } });
    const [fromRows] = await store.summary({ ...period, bucket: "all", filter: { account, tag: "red" } });
    expect(fromTotals).toEqual(fromRows);
  });

  it("records batches of 500", { timeout: 60_000 }, async () => {
    const startedAt = performance.now();
    const batches = 10;
    for (let batch = 0; batch < batches; batch++)
      expect(await store.record(Array.from({ length: 500 }, (_, index) => newRow(index)))).toBe(500);
    printFigures("Batches of 500 rows", { "ms each": Math.round((performance.now() - startedAt) / batches) });
  });
});
