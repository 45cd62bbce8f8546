import { afterEach, describe, expect, it, vi } from "vitest";
import { chargeReceipt, plainHold } from "../../test-support/receipts.ts";
import { memoryBalanceStore } from "../memory/memory-balance-store.ts";
import { memoryLimiter } from "../memory/memory-limiter.ts";
import type { BalanceStore, EndResult } from "../ports/balance-store.ts";
import type { GatewayEvent } from "../ports/observer.ts";
import { RunningHolds } from "./heartbeat.ts";
import { HoldEnd, isEndResult, Settlements } from "./settlements.ts";

afterEach(() => void vi.useRealTimers());

/** Settlements over a memory store, with some methods replaced. */
function settling(verbs: Partial<BalanceStore>) {
  const events: GatewayEvent[] = [];
  const store = Object.assign(memoryBalanceStore(), verbs);
  const holds = new RunningHolds(store, memoryLimiter(), 60_000, () => undefined);
  return { events, holds, store, settlements: new Settlements(store, holds, (event) => events.push(event), 2_000) };
}

/** A hold of anna. */
const named = (id: string) => ({ id, account: "anna" });

const after = (milliseconds: number): Promise<EndResult> =>
  new Promise((resolve) => setTimeout(() => resolve({ outcome: "ended" }), milliseconds));

const down = async (): Promise<EndResult> => {
  throw new Error("connection lost");
};

describe("new requests", () => {
  it("are not refused for many concurrent settlements of a slow store", async () => {
    const { settlements } = settling({ settle: () => after(50) });
    const all = Array.from({ length: 1_500 }, (_, at) => settlements.settle(named(`hold-${at}`), 1n, chargeReceipt));
    settlements.refuseWhenBehind();
    await Promise.all(all);
    settlements.refuseWhenBehind();
  });

  it("are refused when more than 1,000 are delayed", async () => {
    vi.useFakeTimers();
    const { settlements, events } = settling({ settle: down });
    for (let at = 0; at < 1_000; at++) void settlements.settle(named(`hold-${at}`), 1n, chargeReceipt);
    await vi.advanceTimersByTimeAsync(250);
    settlements.refuseWhenBehind();
    void settlements.settle(named("one-more"), 1n, chargeReceipt);
    await vi.advanceTimersByTimeAsync(249);
    settlements.refuseWhenBehind();
    await vi.advanceTimersByTimeAsync(1);
    expect(() => settlements.refuseWhenBehind()).toThrow("cannot record charges");
    expect(settlements.waiting).toBe(1_001);
    expect(events.at(-1)).toMatchObject({ type: "settlement.delayed", cause: { message: "connection lost" } });
  });

  it("are refused when one is delayed for 30 s, and admitted once it is done", async () => {
    vi.useFakeTimers();
    const verbs = { settle: down };
    const { settlements } = settling({ settle: () => verbs.settle() });
    void settlements.settle(named("first"), 1n, chargeReceipt);
    await vi.advanceTimersByTimeAsync(29_000);
    settlements.refuseWhenBehind();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(() => settlements.refuseWhenBehind()).toThrow("cannot record charges");
    verbs.settle = async () => ({ outcome: "ended" });
    await vi.advanceTimersByTimeAsync(10_000);
    settlements.refuseWhenBehind();
  });
});

describe("the refusal of new requests", () => {
  it("says why, and when to try again", async () => {
    vi.useFakeTimers();
    const { settlements } = settling({ settle: down });
    void settlements.settle(named("first"), 1n, chargeReceipt);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(settlements.isBehind).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(settlements.isBehind).toBe(true);
    expect(() => settlements.refuseWhenBehind()).toThrow(
      expect.objectContaining({
        code: "store_unavailable",
        message: "The gateway cannot record charges fast enough at the moment. Try again in a few seconds.",
        details: { retryAfterSeconds: 5 },
      }),
    );
  });
});

describe("a settlement", () => {
  it("of a store that answers at once is done at once, and leaves nothing behind", async () => {
    vi.useFakeTimers();
    const { settlements, holds, events } = settling({ settle: () => ({ outcome: "ended" }) });
    expect(settlements.settle(named("hold-1"), 1n, chargeReceipt)).toEqual({ outcome: "ended" });
    expect([settlements.waiting, holds.count, vi.getTimerCount()]).toEqual([0, 0, 0]);
    expect(events).toEqual([]);
    await settlements.whenIdle();
  });

  it("that is answered later leaves nothing behind either", async () => {
    vi.useFakeTimers();
    const { settlements, holds } = settling({ settle: () => after(100) });
    const settled = settlements.settle(named("hold-1"), 1n, chargeReceipt);
    expect([settlements.waiting, holds.count]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(100);
    await settled;
    expect([settlements.waiting, holds.count, vi.getTimerCount()]).toEqual([0, 0, 0]);
  });

  it.each([
    ["throws", () => expect.fail("connection lost"), "connection lost"],
    ["rejects", down, "connection lost"],
    ["does not answer", () => new Promise<never>(() => undefined), "no answer in 2000 ms"],
    ["returns garbage", () => JSON.parse("{}"), "The balance store returned an invalid outcome for a hold."],
  ])("whose store %s is reported with the cause, and keeps its hold", async (_, settle, message) => {
    vi.useFakeTimers({ now: 1_000 });
    const { settlements, holds, events } = settling({ settle });
    void settlements.settle(named("hold-1"), 1n, chargeReceipt);
    await vi.advanceTimersByTimeAsync(2_000);
    const cause = expect.objectContaining({ message });
    expect(events[0]).toEqual({
      type: "settlement.delayed",
      at: expect.any(Number),
      holdId: "hold-1",
      waiting: 1,
      cause,
    });
    expect([settlements.waiting, holds.count]).toEqual([1, 1]);
  });

  it("is idle only once all have been taken", async () => {
    vi.useFakeTimers();
    const { settlements } = settling({ settle: ({ id }) => after(id === "fast" ? 10 : 100) });
    const idle = vi.fn();
    for (const id of ["fast", "slow"]) void settlements.settle(named(id), 1n, chargeReceipt);
    void settlements.whenIdle().then(idle);
    await vi.advanceTimersByTimeAsync(99);
    expect(idle).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(idle).toHaveBeenCalledOnce();
  });

  it("tells who waits for its hold when the store has taken it, and others at once", async () => {
    vi.useFakeTimers();
    const { settlements } = settling({ settle: ({ id }) => after(id === "fast" ? 10 : 100) });
    const answered = vi.fn();
    void settlements.settle(named("fast"), 1n, chargeReceipt);
    void Promise.resolve(settlements.settle(named("slow"), 1n, chargeReceipt)).then(answered);
    const taken: string[] = [];
    for (const id of ["slow", "slow", "fast", "other"])
      void settlements.whenTaken(named(id)).then(() => taken.push(id));
    await vi.advanceTimersByTimeAsync(0);
    expect(taken).toEqual(["other"]);
    await vi.advanceTimersByTimeAsync(99);
    expect(taken).toEqual(["other", "fast"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(taken.toSorted()).toEqual(["fast", "other", "slow", "slow"]);
    expect(answered).toHaveBeenCalledOnce();
  });
});

describe("the end of a hold", () => {
  it("is never reported as lost, also when it was renewed before", async () => {
    vi.useFakeTimers();
    const lost = vi.fn();
    const answers = [["hold-1"], []];
    const store = Object.assign(memoryBalanceStore(), { renew: () => answers.shift() ?? [] });
    const holds = new RunningHolds(store, memoryLimiter(), 60_000, lost);
    holds.add(new HoldEnd(named("hold-1"), 1n, chargeReceipt));
    for (let beat = 0; beat < 3; beat++) {
      await holds.renewHolds();
      vi.advanceTimersByTime(60_000);
    }
    expect(lost).not.toHaveBeenCalled();
  });

  it("costs its amount, and nothing when it is a release", () => {
    expect(new HoldEnd(named("hold-1"), 7n, chargeReceipt).used()).toBe(7n);
    expect(new HoldEnd(named("hold-1"), undefined, chargeReceipt).used()).toBe(0n);
  });

  it.each(["ended", "repeated", "late", "conflict", "unknown"])("may have the outcome %s", (outcome) => {
    expect(isEndResult({ outcome })).toBe(true);
  });

  it.each([undefined, null, "ended", 42, {}, { outcome: "" }, { outcome: undefined }, ["ended"]])(
    "is not %j",
    (answer) => {
      expect(isEndResult(answer)).toBe(false);
    },
  );
});

describe("a delayed settlement", () => {
  it("delays its answer for 250 ms, and is done later", async () => {
    vi.useFakeTimers();
    const { settlements } = settling({ settle: () => after(1_000) });
    const [answered, idle] = [vi.fn(), vi.fn()];
    void Promise.resolve(settlements.settle(named("slow"), 1n, chargeReceipt)).then(answered);
    void settlements.whenIdle().then(idle);
    await vi.advanceTimersByTimeAsync(249);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(answered).toHaveBeenCalled();
    expect(idle).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(750);
    expect(idle).toHaveBeenCalled();
  });

  it("is renewed with its whole cost until it is done", async () => {
    vi.useFakeTimers();
    const renew = vi.fn<BalanceStore["renew"]>((renewals) => renewals.map(({ id }) => id));
    let settle = down;
    const { settlements, holds } = settling({ renew, settle: () => settle() });
    void settlements.settle(named("late"), 70n, chargeReceipt);
    await vi.advanceTimersByTimeAsync(1_000);
    await holds.renewHolds();
    expect(renew).toHaveBeenCalledExactlyOnceWith([{ ...named("late"), used: 70n }], 60_000);
    settle = async () => ({ outcome: "ended" });
    await vi.advanceTimersByTimeAsync(10_000);
    await holds.renewHolds();
    expect(renew).toHaveBeenCalledOnce();
  });

  it.each([
    ["null", null],
    ["a number", 42],
    ["an object of another kind", { rows: 1 }],
    ["an unknown outcome", { outcome: "fine" }],
  ])("is retried when the store returns or resolves to %s", async (_name, garbage) => {
    vi.useFakeTimers();
    for (const later of [false, true]) {
      const answers = [garbage, garbage, { outcome: "ended" }];
      const settle = vi.fn(() => JSON.parse(JSON.stringify(answers.shift())));
      const { settlements, events } = settling({ settle: later ? async () => settle() : settle });
      void settlements.settle(named("one"), 1n, chargeReceipt);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(settle).toHaveBeenCalledTimes(3);
      expect(events.map(({ type }) => type)).toEqual(["settlement.delayed", "settlement.delayed"]);
    }
  });
});

describe("a release", () => {
  it("that is delayed is not renewed, so that its lease frees the money", async () => {
    const renew = vi.fn<BalanceStore["renew"]>(() => []);
    const { settlements, holds } = settling({ renew, release: down });
    void settlements.release(named("hold-1"), chargeReceipt);
    await holds.renewHolds();
    expect(renew).not.toHaveBeenCalled();
  });

  it("of an expired hold refunds what the expiry charged, once, and is no conflict", async () => {
    const { settlements, store, events } = settling({});
    store.credit({ id: "start", account: "anna", amount: 100n, reason: "start" });
    store.hold({ id: "hold-1", account: "anna", keyId: "key-1", amount: 50n, leaseMs: 60_000, ...plainHold });
    store.renew([{ ...named("hold-1"), used: 30n }], -1);
    store.expire();
    expect(store.balance("anna").posted).toBe(70n);
    await settlements.release(named("hold-1"), chargeReceipt);
    await settlements.release(named("hold-1"), chargeReceipt);
    expect(store.balance("anna")).toMatchObject({ posted: 100n, held: 0n });
    expect(events).toEqual([]);
  });
});

describe("a ledger conflict", () => {
  it("is reported for a charge whose hold the store does not know", async () => {
    const { events, settlements } = settling({ settle: () => ({ outcome: "unknown" }) });
    await settlements.settle(named("lost"), 5n, chargeReceipt);
    expect(events).toEqual([{ type: "ledger.conflict", at: expect.any(Number), holdId: "lost" }]);
    await settlements.release(named("never-made"), chargeReceipt);
    expect(events).toHaveLength(1);
  });

  it("is reported for a hold that had ended otherwise, which is not retried", async () => {
    const settle = vi.fn(() => ({ outcome: "conflict" }) as const);
    const { events, settlements } = settling({ settle, release: () => ({ outcome: "conflict" }) });
    await settlements.settle(named("hold-1"), 5n, chargeReceipt);
    await settlements.release(named("hold-2"), chargeReceipt);
    expect(events).toMatchObject([{ holdId: "hold-1" }, { holdId: "hold-2" }]);
    expect(settle).toHaveBeenCalledTimes(2);
  });
});
