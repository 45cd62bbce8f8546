import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chargeReceipt, plainHold } from "../../test-support/receipts.ts";
import { type MemoryBalanceStore, memoryBalanceStore } from "./memory-balance-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a balance store in memory", () => {
  it("is synchronous", () => {
    const store = memoryBalanceStore();
    credit(store, "c", 10n);
    const balance = { posted: 10n, held: 4n, available: 6n };
    expect(hold(store, "h", 4n)).toEqual({ outcome: "held", balance, amount: 4n });
    expect(store.settle({ id: "h", account: "a" }, 3n, chargeReceipt)).toEqual({ outcome: "ended" });
    expect(store.balance("a")).toMatchObject({ posted: 7n, held: 0n, available: 7n });
  });

  it("remembers an ended hold until `keepEnded` others have ended, and not forever", () => {
    const store = memoryBalanceStore({ keepEnded: 10 });
    credit(store, "c", 1_000n);
    end(store, "first");
    for (let ended = 0; ended < 10; ended++) {
      expect(store.settle({ id: "first", account: "a" }, 1n, chargeReceipt).outcome).toBe("repeated");
      end(store, `h${ended}`);
    }
    for (let ended = 10; ended < 30; ended++) end(store, `h${ended}`);
    expect(store.settle({ id: "first", account: "a" }, 1n, chargeReceipt).outcome).toBe("unknown");
    expect(store.verify()).toEqual([]);
  });

  it("allocates memory for ended holds as they end, for any keepEnded", () => {
    const store = memoryBalanceStore({ keepEnded: Number.MAX_SAFE_INTEGER });
    credit(store, "c", 1_000n);
    for (let ended = 0; ended < 100; ended++) end(store, `h${ended}`);
    for (let ended = 0; ended < 100; ended++)
      expect(store.settle({ id: `h${ended}`, account: "a" }, 1n, chargeReceipt).outcome).toBe("repeated");
  });

  it("never drops a pending hold", () => {
    const store = memoryBalanceStore({ keepEnded: 1 });
    credit(store, "c", 1_000n);
    hold(store, "long", 5n);
    for (let ended = 0; ended < 50; ended++) end(store, `h${ended}`);
    expect(store.balance("a").held).toBe(5n);
    expect(store.settle({ id: "long", account: "a" }, 5n, chargeReceipt).outcome).toBe("ended");
  });

  it("renews, ends and expires a hold that has been pending while many others ended", () => {
    const store = memoryBalanceStore({ keepEnded: 4 });
    credit(store, "c", 1_000n);
    for (const id of ["settled", "released", "expired"]) hold(store, id, 5n);
    for (let ended = 0; ended < 50; ended++) end(store, `h${ended}`);
    expect(hold(store, "settled", 5n)).toMatchObject({ outcome: "held", balance: { held: 15n } });
    expect(store.renew([{ id: "expired", account: "a", used: 3n }], 60_000)).toEqual(["expired"]);
    settle(store, "settled");
    expect(store.release({ id: "released", account: "a" }).outcome).toBe("ended");
    vi.advanceTimersByTime(60_000);
    expect(store.expire()).toBe(1);
    end(store, "next");
    expect(store.settle({ id: "settled", account: "a" }, 1n, chargeReceipt).outcome).toBe("repeated");
    expect(store.settle({ id: "expired", account: "a" }, 4n, chargeReceipt).outcome).toBe("late");
    expect(store.settle({ id: "expired", account: "a" }, 4n, chargeReceipt).outcome).toBe("repeated");
    expect(store.verify()).toEqual([]);
  });

  it("treats the id of a hold that ended long ago as new", () => {
    const store = memoryBalanceStore({ keepEnded: 2 });
    credit(store, "c", 1_000n);
    for (let ended = 0; ended < 5; ended++) end(store, `h${ended}`);
    expect(hold(store, "h0", 7n)).toMatchObject({ outcome: "held", balance: { held: 7n } });
    settle(store, "h0");
  });

  it("remembers `keepEnded` to twice as many ended holds, with any number of pending ones", () => {
    // At most three are pending: true begins a hold, a number ends the hold at that index.
    const steps = fc.array(fc.oneof(fc.constant<true>(true), fc.nat(2)), { minLength: 40, maxLength: 80, size: "max" });
    fc.assert(
      fc.property(steps, fc.integer({ min: 3, max: 6 }), (given, keepEnded) => {
        const store = memoryBalanceStore({ keepEnded });
        credit(store, "c", 1_000n);
        const pending: string[] = [];
        const settled: string[] = [];
        for (const [at, step] of given.entries()) {
          if (step !== true) settled.unshift(...pending.splice(step, 1).map((id) => settle(store, id)));
          else if (pending.length < 3) pending.push(begin(store, `h${at}`));
          expect(store.verify()).toEqual([]);
        }
        const outcomes = settled.map((id) => store.settle({ id, account: "a" }, 1n, chargeReceipt).outcome);
        expect(outcomes.slice(0, keepEnded).filter((outcome) => outcome !== "repeated")).toEqual([]);
        expect(outcomes.slice(2 * keepEnded).filter((outcome) => outcome !== "unknown")).toEqual([]);
        for (const id of pending) settle(store, id);
      }),
    );
  });

  it("replaces old entries with one of their sum, so that the entries still sum to what is posted", () => {
    const store = memoryBalanceStore({ keepEntries: 10 });
    credit(store, "c", 1_000n);
    for (let ended = 0; ended < 100; ended++) end(store, `h${ended}`);
    const { entries } = store.entries({ account: "a", limit: 1_000 });
    expect(entries.length).toBeLessThanOrEqual(10);
    expect(entries[0]).toMatchObject({
      kind: "credit",
      reference: "brought-forward",
      reason: "balance brought forward",
    });
    expect(entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(900n);
    const sequences = entries.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => Number(a - b)));
    expect(store.verify()).toEqual([]);
  });

  it("replaces old entries of any amounts, and does not change the newest", () => {
    const amounts = fc.array(fc.bigInt(1n, 20n), { maxLength: 40 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 2, max: 6 }), (given, keepEntries) => {
        const store = memoryBalanceStore({ keepEntries });
        const movements = given.map((amount, at) => (at % 3 === 0 ? amount : -amount));
        for (const [at, amount] of movements.entries()) post(store, `p${at}`, amount);
        const kept = store.entries({ account: "a", limit: 100 }).entries.map(({ amount }) => amount);
        expect(kept.length).toBeLessThanOrEqual(keepEntries);
        expect(kept.reduce((sum, amount) => sum + amount, 0n)).toBe(store.balance("a").posted);
        expect(movements.slice(movements.length - kept.length + 1)).toEqual(kept.slice(1));
        expect(store.verify()).toEqual([]);
      }),
    );
  });

  it("expires a hold in the exact millisecond in which its lease ends", () => {
    const store = memoryBalanceStore();
    credit(store, "c", 10n);
    hold(store, "h", 4n);
    vi.advanceTimersByTime(59_999);
    expect(store.expire()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(store.expire()).toBe(1);
    expect(store.balance("a").held).toBe(0n);
  });

  it("rejects invalid options", () => {
    expect(() => memoryBalanceStore({ keepEnded: 0 })).toThrow(/keepEnded must be a whole number of at least 1/);
    expect(() => memoryBalanceStore({ keepEntries: 1.5 })).toThrow(/keepEntries must be a whole number of at least 2/);
  });
});

function credit(store: MemoryBalanceStore, id: string, amount: bigint): void {
  store.credit({ id, account: "a", amount, reason: "top-up" });
}

function post(store: MemoryBalanceStore, id: string, amount: bigint): void {
  if (amount > 0n) credit(store, id, amount);
  else store.debit({ id, account: "a", amount: -amount, reason: "correction" });
}

function hold(store: MemoryBalanceStore, id: string, amount: bigint) {
  return store.hold({ id, account: "a", keyId: "k", amount, leaseMs: 60_000, ...plainHold });
}

function begin(store: MemoryBalanceStore, id: string): string {
  hold(store, id, 2n);
  return id;
}

function settle(store: MemoryBalanceStore, id: string): string {
  expect(store.settle({ id, account: "a" }, 1n, chargeReceipt).outcome).toBe("ended");
  return id;
}

function end(store: MemoryBalanceStore, id: string): void {
  settle(store, begin(store, id));
}
