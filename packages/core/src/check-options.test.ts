import { expect, it } from "vitest";
import { checkOptions } from "./check-options.ts";
import type { MoneyOptions } from "./gateway-options.ts";
import { memoryBalanceStore } from "./memory/memory-balance-store.ts";
import { memoryKeyStore } from "./memory/memory-key-store.ts";

const check = (money: MoneyOptions) =>
  checkOptions({
    keys: memoryKeyStore(),
    balances: memoryBalanceStore(),
    plans: [{ id: "plan", billing: "prepaid" }],
    models: [],
    money,
  });

it("wants two heartbeats in a lease at least, and takes a lease alone, which brings its heartbeat along", () => {
  expect(() => check({ leaseMs: 60_000, heartbeatMs: 30_001 })).toThrow("`money.heartbeatMs` is more than half");
  expect(() => check({ heartbeatMs: 30_001 })).toThrow("`money.heartbeatMs`");
  check({ leaseMs: 60_000, heartbeatMs: 30_000 });
  check({ leaseMs: 500 });
});
