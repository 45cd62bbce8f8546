import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { memoryBalanceStore } from "../memory/memory-balance-store.ts";
import { memoryLimiter } from "../memory/memory-limiter.ts";
import { type RunningHold, RunningHolds } from "./running-holds.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("keeps a hold pending beyond its lease, and charges what it used when its process has died", async () => {
  const balances = memoryBalanceStore();
  const holds = new RunningHolds(balances, memoryLimiter(), 60_000, 15_000);
  balances.credit({ id: "start", account: "anna", amount: 100n, reason: "start" });
  balances.hold({ id: "hold-1", account: "anna", keyId: "key-1", amount: 50n, leaseMs: 60_000, terms: [] });
  const run = new Run("hold-1", 7n);
  holds.add(run);
  await vi.advanceTimersByTimeAsync(150_000);
  expect(balances.balance("anna")).toMatchObject({ posted: 100n, held: 50n });
  holds.stop();
  await vi.advanceTimersByTimeAsync(150_000);
  expect(balances.expire()).toBe(1);
  expect(balances.balance("anna")).toMatchObject({ posted: 93n, held: 0n });
});

/** A running hold with private state, as a bill has. */
class Run implements RunningHold {
  position = -1;
  readonly reservation = undefined;
  readonly #cost: bigint;

  constructor(
    readonly holdId: string,
    cost: bigint,
  ) {
    this.#cost = cost;
  }

  used(): bigint {
    return this.#cost;
  }
}
