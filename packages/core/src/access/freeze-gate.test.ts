import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryBalanceStore } from "../memory/memory-balance-store.ts";
import type { BalanceStore } from "../ports/balance-store.ts";
import { FreezeGate } from "./freeze-gate.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** A gate over a store in memory, whose answers take a turn of the event loop. */
function gateUnderTest() {
  const store = memoryBalanceStore();
  let reads = 0;
  const slow: BalanceStore = {
    ...bound(store),
    async balance(account: string) {
      reads += 1;
      const balance = store.balance(account);
      await Promise.resolve();
      return balance;
    },
  };
  return { store, gate: new FreezeGate(slow, 1_000), reads: () => reads };
}

/** The methods of a store as members of an object. */
const bound = (store: ReturnType<typeof memoryBalanceStore>): BalanceStore => ({
  hold: (request) => store.hold(request),
  renew: (renewals, leaseMs) => store.renew(renewals, leaseMs),
  settle: (hold, amount, receipt) => store.settle(hold, amount, receipt),
  release: (hold) => store.release(hold),
  expire: () => store.expire(),
  credit: (posting) => store.credit(posting),
  debit: (posting) => store.debit(posting),
  refund: (refund) => store.refund(refund),
  balance: (account, allowance) => store.balance(account, allowance),
  usedBy: (keyId) => store.usedBy(keyId),
  findAccount: (account) => store.findAccount(account),
  spendOf: (queries) => store.spendOf(queries),
  onFreeze: (listener) => store.onFreeze(listener),
  entries: (query) => store.entries(query),
  verify: () => store.verify(),
});

describe("the gate of frozen accounts", () => {
  it("reads an account once in 30 seconds", async () => {
    let passed = 0;
    vi.spyOn(performance, "now").mockImplementation(() => 1_000 + passed);
    const { gate, reads } = gateUnderTest();
    expect(await gate.find("acme")).toBeUndefined();
    passed = 29_000;
    expect(gate.find("acme")).toBeUndefined();
    expect(reads()).toBe(1);
    passed = 31_000;
    await gate.find("acme");
    expect(reads()).toBe(2);
  });

  it("knows a freeze and a thaw through its store at once", async () => {
    const { gate, store } = gateUnderTest();
    await gate.find("acme");
    store.freeze("acme", "dispute 17");
    expect(await gate.find("acme")).toMatchObject({ reason: "dispute 17" });
    store.thaw("acme");
    expect(await gate.find("acme")).toBeUndefined();
  });

  it("keeps what it knows of other accounts", async () => {
    const { gate, store, reads } = gateUnderTest();
    await gate.find("acme");
    store.freeze("other", "dispute 17");
    await gate.find("acme");
    expect(reads()).toBe(1);
  });

  it("does not keep an answer that a freeze has overtaken", async () => {
    const { gate, store } = gateUnderTest();
    const asked = gate.find("acme");
    store.freeze("acme", "dispute 17");
    expect(await asked).toBeUndefined();
    expect(await gate.find("acme")).toMatchObject({ reason: "dispute 17" });
  });
});
