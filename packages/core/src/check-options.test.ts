import { expect, it } from "vitest";
import { checkOptions } from "./check-options.ts";
import type { MoneyOptions, RoutingOptions } from "./gateway-options.ts";
import { memoryBalanceStore } from "./memory/memory-balance-store.ts";
import { memoryKeyStore } from "./memory/memory-key-store.ts";

const check = (money: MoneyOptions, routing: RoutingOptions = {}) =>
  checkOptions({
    keys: memoryKeyStore(),
    balances: memoryBalanceStore(),
    plans: [{ id: "plan", billing: "prepaid" }],
    models: [],
    money,
    routing,
  });

it("wants two heartbeats in a lease at least, and takes a lease alone, which brings its heartbeat along", () => {
  expect(() => check({ leaseMs: 60_000, heartbeatMs: 30_001 })).toThrow("`money.heartbeatMs` is more than half");
  expect(() => check({ heartbeatMs: 30_001 })).toThrow("`money.heartbeatMs`");
  check({ leaseMs: 60_000, heartbeatMs: 30_000 });
  check({ leaseMs: 500 });
});

it("takes no retries at all, and no other number that says nothing", () => {
  check({}, { retries: 0, backoffMs: 1, longestRetryAfterMs: 1, failuresToOpen: 1, openMs: 1 });
  const faults = { retries: -1, backoffMs: 0, longestRetryAfterMs: Number.NaN, failuresToOpen: 1.5, openMs: -3 };
  for (const [name, value] of Object.entries(faults)) {
    expect(() => check({}, { [name]: value }), name).toThrow(`\`routing.${name}\` must be a whole number`);
  }
});
