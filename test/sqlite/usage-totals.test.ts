import { memoryUsageStore } from "@tollgate/core";
import { latencyBounds, type UsageQuery, type UsageRow } from "@tollgate/core/store";
import { sqliteUsageStore } from "@tollgate/sqlite";
import { expect, it } from "vitest";
import { newRow } from "../bench/usage/new-row.ts";
import { temporaryDatabase } from "./temporary-database.ts";

const day = 86_400_000;
const at = new Date(Math.floor(Date.now() / day) * day - day);
const query = { from: at, to: new Date(at.getTime() + day), bucket: "day" } as const;

/** Rows of many accounts and of one, with more pairs of latencies than there are statements for. */
const rows = Array.from({ length: 900 }, (_, index): UsageRow => {
  const latency = (place: number) => (latencyBounds[place % latencyBounds.length] ?? 0) - (place % 2);
  const account = index % 3 === 0 ? "busy" : `account-${index % 90}`;
  const firstContentMs = index % 5 === 0 ? {} : { firstContentMs: latency(index * 7) };
  const row = newRow(index);
  return { ...row, account, keyId: `key of ${account}`, at, durationMs: latency(index), ...firstContentMs };
});

it("totals of one and of many requests, in parts of a batch, are those of the rows", async () => {
  const [sqlite, memory] = [sqliteUsageStore(temporaryDatabase().connect()), memoryUsageStore()];
  for (const store of [sqlite, memory]) expect(await store.record(rows)).toBe(rows.length);
  expect(await sqlite.record(rows)).toBe(0);
  const account = { account: "busy" };
  const queries: readonly UsageQuery[] = [
    { ...query, groupBy: "account" },
    { ...query, groupBy: "model", filter: account },
    { ...query, groupBy: "key", filter: { account: "account-1" } },
  ];
  for (const asked of queries) expect(await sqlite.summary(asked)).toEqual(await memory.summary(asked));
  const attempts = { from: at, to: query.to };
  expect(await sqlite.attempts(attempts)).toEqual(await memory.attempts(attempts));
});
