import { sqliteBalanceStore } from "@tollgate/sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { creditOf, holdOf, temporaryDatabase } from "./temporary-database.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

it("sweeps a backlog in batches, by the clock of the process", async () => {
  const database = temporaryDatabase().connect();
  const balances = sqliteBalanceStore(database);
  await balances.credit(creditOf("a", 1_000n));
  for (let made = 0; made < 450; made++) await balances.hold(holdOf("a", 2n));
  expect(await balances.expire()).toBe(0);
  const renewed = holdOf("a", 2n);
  await balances.hold(renewed);
  await balances.renew([{ id: renewed.id, account: "a", used: 2n }], 120_000);
  vi.setSystemTime(Date.now() + 60_001);
  const sweeps = [balances.expire(), balances.expire(), balances.expire(), balances.expire()];
  expect(await Promise.all(sweeps)).toEqual([200, 200, 50, 0]);
  expect(await balances.balance("a")).toMatchObject({ posted: 1_000n, held: 2n });
  vi.setSystemTime(Date.now() + 60_000);
  expect(await balances.expire()).toBe(1);
  expect(await balances.balance("a")).toMatchObject({ posted: 998n, held: 0n });
  expect(await balances.verify()).toEqual([]);
});

it("finds expired holds by an index, regardless of how many holds have ended", () => {
  const database = temporaryDatabase().connect();
  sqliteBalanceStore(database);
  const plan = database
    .prepare(
      "EXPLAIN QUERY PLAN SELECT id FROM tollgate_hold WHERE state = 'pending' AND expires_at <= 5 ORDER BY expires_at",
    )
    .all();
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(/USING .*INDEX tollgate_hold_due/)]);
});
