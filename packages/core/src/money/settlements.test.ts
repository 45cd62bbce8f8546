import { afterEach, expect, it, vi } from "vitest";
import { memoryBalanceStore } from "../memory/memory-balance-store.ts";
import type { BalanceStore, EndResult } from "../ports/balance-store.ts";
import type { GatewayEvent } from "../ports/observer.ts";
import { Settlements } from "./settlements.ts";

afterEach(() => void vi.useRealTimers());

function settling(settle: BalanceStore["settle"]) {
  const events: GatewayEvent[] = [];
  const store = Object.assign(memoryBalanceStore(), { settle });
  return { events, settlements: new Settlements(store, (event) => events.push(event), 2_000) };
}

const after = (milliseconds: number): Promise<EndResult> =>
  new Promise((resolve) => setTimeout(() => resolve({ outcome: "ended" }), milliseconds));

const down = async (): Promise<EndResult> => {
  throw new Error("connection lost");
};

it("refuses nobody for many settlements at once that a healthy store takes its time over", async () => {
  const { settlements } = settling(() => after(50));
  const all = Array.from({ length: 1_500 }, (_, at) => settlements.settle(`hold-${at}`, 1n));
  settlements.refuseWhenBehind();
  await Promise.all(all);
  settlements.refuseWhenBehind();
});

it("refuses when over 1,000 are behind", async () => {
  const { settlements } = settling(down);
  await Promise.all(Array.from({ length: 1_001 }, (_, at) => settlements.settle(`hold-${at}`, 1n)));
  expect(() => settlements.refuseWhenBehind()).toThrow("behind");
});

it("refuses when one is behind for 30 s, and goes on once it is done", async () => {
  vi.useFakeTimers();
  const store = { settle: down };
  const { settlements } = settling(() => store.settle());
  void settlements.settle("first", 1n);
  await vi.advanceTimersByTimeAsync(29_000);
  settlements.refuseWhenBehind();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(() => settlements.refuseWhenBehind()).toThrow("behind");
  store.settle = async () => ({ outcome: "ended" });
  await vi.advanceTimersByTimeAsync(10_000);
  settlements.refuseWhenBehind();
});

it("tells of a charge whose hold the store does not know, which nobody has paid", async () => {
  const { events, settlements } = settling(() => ({ outcome: "unknown" }));
  await settlements.settle("lost", 5n);
  expect(events).toMatchObject([{ type: "ledger.conflict", holdId: "lost" }]);
  await settlements.release("never-made");
  expect(events).toHaveLength(1);
});
