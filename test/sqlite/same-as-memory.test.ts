import { DatabaseSync } from "@photostructure/sqlite";
import { memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lotSteps, start, stateOf, takeStep } from "../support/lot-steps.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

it("lots, allowances and refunds have the same effects as in memory", async () => {
  await fc.assert(
    fc.asyncProperty(lotSteps, async (steps) => {
      vi.setSystemTime(start);
      const stores: readonly BalanceStore[] = [memoryBalanceStore(), sqliteBalanceStore(new DatabaseSync(":memory:"))];
      for (const step of steps) {
        // The stores order holds by when they were placed.
        vi.setSystemTime(Date.now() + 1 + (step.verb === "pass" ? Math.max(0, step.seconds) * 1_000 : 0));
        const [expected, found] = await Promise.all(stores.map((store) => takeStep(store, "run", step)));
        expect(found).toEqual(expected);
      }
      const [expected, found] = await Promise.all(stores.map((store) => stateOf(store, "run")));
      expect(found).toEqual(expected);
      for (const store of stores) expect(await store.verify()).toEqual([]);
    }),
    { numRuns: 60 },
  );
}, 120_000);
