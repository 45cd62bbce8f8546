import { memoryBalanceStore } from "@tollgate/core";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chargeReceipt } from "../../packages/core/test-support/receipts.ts";
import { creditOf, holdOf, temporaryDatabase } from "./temporary-database.ts";

const limit = { limit: 100n, window: "day", timezone: "Europe/Berlin" } as const;
const midnight = Date.parse("2026-03-28T23:00:00Z");

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: midnight - 1_000 }));
afterEach(() => void vi.useRealTimers());

it.each([
  ["memory", () => memoryBalanceStore()],
  ["SQLite", () => sqliteBalanceStore(temporaryDatabase().connect())],
])("in %s, a cost belongs to the window of its hold, also if it ends in the next", async (_, open) => {
  const store = open();
  const spend = { account: limit };
  const spent = async () => (await store.spendOf([{ scope: "account", id: "a", limit }]))[0];
  await store.credit(creditOf("a", 10_000n));
  const [settled, late] = [holdOf("a", 60n, { spend }), holdOf("a", 40n, { spend, leaseMs: 500 })];
  for (const request of [settled, late]) expect(await store.hold(request)).toMatchObject({ outcome: "held" });
  expect(await store.hold(holdOf("a", 1n, { spend }))).toMatchObject({ outcome: "spend_limit", spent: 100n });
  expect(await spent()).toEqual({ limit, spent: 100n, resetsAt: new Date(midnight) });

  vi.setSystemTime(midnight);
  // The clocks go forward on this day.
  expect(await spent()).toEqual({ limit, spent: 0n, resetsAt: new Date("2026-03-29T22:00:00Z") });
  expect(await store.hold(holdOf("a", 100n, { spend }))).toMatchObject({ outcome: "held" });
  await store.settle({ id: settled.id, account: "a" }, 90n, chargeReceipt);
  await store.expire();
  await store.settle({ id: late.id, account: "a" }, 70n, chargeReceipt);
  expect((await spent())?.spent).toBe(100n);
});
