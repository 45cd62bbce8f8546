import { memoryBalanceStore } from "@tollgate/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chargeReceipt } from "../../test-support/receipts.ts";
import { counting, openSlice, openSlices, pay, slicedRequest } from "../../test-support/slicing.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => vi.useRealTimers());

const afterTwoRequests = 9_880n;

describe("requests of a busy key", () => {
  it("are held in memory, and charged in one entry with their number and tokens", async () => {
    const { store, calls } = counting(memoryBalanceStore());
    const { balances, close } = await openSlices({}, store);
    await openSlice(balances);
    expect(calls).toEqual({ hold: 3, settle: 2, release: 0, renew: 0 });
    for (let request = 0; request < 8; request++) await pay(balances, 10n);
    expect(calls).toEqual({ hold: 3, settle: 2, release: 0, renew: 0 });
    expect(await store.balance("a")).toMatchObject({ posted: afterTwoRequests, held: 1_000n });
    await close();
    expect(await store.balance("a")).toMatchObject({ posted: afterTwoRequests - 80n, held: 0n });
    const { entries } = await store.entries({ account: "a", limit: 10, newestFirst: true });
    const tokens = { input: 48, cachedInput: 24, cacheWrite5m: 16, cacheWrite1h: 8, output: 40, reasoning: 32 };
    expect(entries[0]).toMatchObject({
      kind: "charge",
      amount: -80n,
      receipt: { keyId: "key-1", model: "model-1", dialect: "chat", charge: { tokens, status: "slice of 8 requests" } },
    });
    expect(await store.verify()).toEqual([]);
  });

  it("share a slice only with those of the same key, model and API", async () => {
    const { store, calls } = counting(memoryBalanceStore());
    const { balances, close } = await openSlices({}, store);
    await openSlice(balances);
    const before = calls.hold;
    await pay(balances, 1n, { keyId: "key-2" });
    await pay(balances, 1n, { receipt: { requestId: "r", model: "model-2", dialect: "chat" } });
    await pay(balances, 1n, { receipt: { requestId: "r", model: "model-1", dialect: "messages" } });
    expect(calls.hold).toBe(before + 3);
    await close();
    expect([await store.usedBy("key-1"), await store.usedBy("key-2")]).toEqual([122n, 1n]);
  });

  it("are held in the store without a key, with the cap of a token, and for a charge of the host", async () => {
    const { store, calls } = counting(memoryBalanceStore());
    const { balances } = await openSlices({}, store);
    const token = { id: "token-1", limit: 1_000n, expiresAt: new Date(Date.now() + 60_000) };
    for (const plain of [
      { keyId: undefined },
      { spend: { token } },
      { receipt: { requestId: "r", description: "d" } },
    ]) {
      await openSlice(balances, plain);
    }
    expect(calls.hold).toBe(6);
  });

  it("that come less often than twice in 15 s are held in the store", async () => {
    const { store, calls } = counting(memoryBalanceStore());
    const { balances } = await openSlices({}, store);
    for (let request = 0; request < 4; request++) {
      await pay(balances, 1n);
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(calls.hold).toBe(4);
  });

  it("are held in the store while the account has less than `above` and a slice", async () => {
    const { store, calls } = counting(memoryBalanceStore());
    const { balances } = await openSlices({ above: 9_000n }, store);
    await openSlice(balances);
    await pay(balances, 1n);
    expect(calls.hold).toBe(3);
  });

  it("are held in the store for 15 s after it has refused a slice", async () => {
    const { store, calls } = counting(memoryBalanceStore());
    const { balances } = await openSlices({}, store);
    const spend = { key: { limit: 330n, window: "total" } } as const;
    await pay(balances, 150n, { spend });
    // 80 are left of the limit besides this request, so it cannot pay for a slice that holds another one.
    await pay(balances, 150n, { spend });
    await vi.advanceTimersByTimeAsync(14_999);
    expect(calls.hold).toBe(3);
    await pay(balances, 1n, { spend, amount: 10n });
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.hold).toBe(4);
    await vi.advanceTimersByTimeAsync(1);
    for (let request = 0; request < 2; request++) await pay(balances, 1n, { spend, amount: 10n });
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.hold).toBe(7);
  });
});

describe("a slice", () => {
  it("is settled after 15 s, and sooner if its lease is short", async () => {
    const { store, balances } = await openSlices();
    await openSlice(balances);
    await pay(balances, 10n);
    await vi.advanceTimersByTimeAsync(14_999);
    expect((await store.balance("a")).held).toBe(1_000n);
    await vi.advanceTimersByTimeAsync(1);
    expect(await store.balance("a")).toMatchObject({ posted: afterTwoRequests - 10n, held: 0n });
    await pay(balances, 10n, { leaseMs: 4_000 });
    await vi.advanceTimersByTimeAsync(999);
    expect((await store.balance("a")).held).toBe(1_000n);
    await vi.advanceTimersByTimeAsync(1);
    expect((await store.balance("a")).held).toBe(0n);
  });

  it("takes a quarter of what the balance and the limits leave if that is less", async () => {
    const { store, balances } = await openSlices();
    const spend = { key: { limit: 2_160n, window: "total" } } as const;
    await openSlice(balances, { spend });
    expect((await store.balance("a")).held).toBe(500n);
  });

  it("is replaced once half of it is used and a request does not fit", async () => {
    const { store, calls } = counting(memoryBalanceStore());
    const { balances, close } = await openSlices({}, store);
    await openSlice(balances);
    for (let request = 0; request < 40; request++) {
      await pay(balances, 90n);
      await vi.advanceTimersByTimeAsync(0);
    }
    // Four slices of 10 requests each, each taken at a request that the store holds.
    expect(calls.hold).toBeLessThan(15);
    await close();
    expect(await store.balance("a")).toMatchObject({ posted: afterTwoRequests - 3_600n, held: 0n });
  });

  it("lets requests that do not fit beside others be held in the store", async () => {
    const { store, balances } = await openSlices();
    await openSlice(balances);
    const requests = Array.from({ length: 12 }, () => slicedRequest(100n));
    for (const request of requests) expect((await balances.hold(request)).outcome).toBe("held");
    expect((await store.balance("a")).held).toBe(1_200n);
    for (const request of requests) await balances.settle(request, 5n, chargeReceipt);
    expect((await store.balance("a")).held).toBe(1_000n);
  });

  it("charges a cost above the hold in full", async () => {
    const { store, balances, close } = await openSlices();
    await openSlice(balances);
    await pay(balances, 1_300n);
    await close();
    expect((await store.balance("a")).posted).toBe(afterTwoRequests - 1_300n);
  });

  it("that was open while the process was suspended holds no more, and is charged late", async () => {
    const { store, balances, close } = await openSlices();
    await openSlice(balances);
    await pay(balances, 10n);
    const running = slicedRequest(100n);
    await balances.hold(running);
    vi.setSystemTime(Date.now() + 90_000);
    expect(await store.expire()).toBe(1);
    const next = slicedRequest(100n);
    await balances.hold(next);
    expect((await store.balance("a")).held).toBe(100n);
    await balances.release(next);
    await balances.settle(running, 30n, chargeReceipt);
    await close();
    const { entries } = await store.entries({ account: "a", limit: 1, newestFirst: true });
    expect(entries[0]).toMatchObject({ kind: "late", amount: -40n });
    expect(await store.verify()).toEqual([]);
  });
});

describe("a request that runs longer than its slice", () => {
  it("gets a hold of its own, with its cost so far and a charge of its own", async () => {
    const { store, calls } = counting(memoryBalanceStore());
    const { balances } = await openSlices({}, store);
    await openSlice(balances);
    const long = slicedRequest(100n);
    await balances.hold(long);
    await pay(balances, 10n);
    expect(await balances.renew([{ ...long, used: 40n }], 60_000)).toEqual([long.id]);
    expect(calls.renew).toBe(0);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await store.balance("a")).toMatchObject({ posted: afterTwoRequests - 10n, held: 100n });
    // Its process is killed: the expiry charges what was reported before it was moved.
    await vi.advanceTimersByTimeAsync(60_000);
    await store.expire();
    expect((await store.balance("a")).posted).toBe(afterTwoRequests - 50n);
    expect(await balances.settle(long, 70n, chargeReceipt)).toEqual({ outcome: "late" });
    expect((await store.balance("a")).posted).toBe(afterTwoRequests - 80n);
  });

  it("remains in it if the store refuses that, renews it, and settles it in the end", async () => {
    const { store, balances } = await openSlices();
    await openSlice(balances);
    await pay(balances, 10n);
    const long = slicedRequest(100n);
    await balances.hold(long);
    vi.spyOn(store, "hold").mockImplementation(() => ({ outcome: "frozen" }));
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await store.balance("a")).held).toBe(1_000n);
    expect(await balances.renew([{ ...long, used: 40n }], 60_000)).toEqual([long.id]);
    expect(await balances.hold(slicedRequest(100n))).toEqual({ outcome: "frozen" });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await store.expire()).toBe(0);
    await balances.settle(long, 70n, chargeReceipt);
    await vi.advanceTimersByTimeAsync(0);
    expect(await store.balance("a")).toMatchObject({ posted: afterTwoRequests - 80n, held: 0n });
  });
});

describe("no request is refused", () => {
  it("because of what a slice of the same process has left", async () => {
    const { store, balances } = await openSlices({ above: 0n });
    await openSlice(balances);
    const rest = (await store.balance("a")).available;
    const large = slicedRequest(rest + 500n);
    expect(await balances.hold(large)).toMatchObject({ outcome: "held" });
    expect((await store.balance("a")).available).toBe(500n);
  });

  it("by a spend limit because of what a slice of the same process has left", async () => {
    const { balances } = await openSlices();
    const spend = { key: { limit: 4_120n, window: "total" } } as const;
    await openSlice(balances, { spend });
    expect(await balances.hold(slicedRequest(3_500n, { spend }))).toMatchObject({ outcome: "held" });
  });

  it("and no account overspent, when several processes take slices of it", async () => {
    const { store } = await openSlices();
    const options = { amount: 700n, above: 0n };
    const processes = await Promise.all(Array.from({ length: 4 }, () => openSlices(options, store)));
    const spent = await Promise.all(
      Array.from({ length: 400 }, async (_, place) => {
        const { balances } = processes[place % 4] ?? { balances: store };
        const request = slicedRequest(100n);
        if ((await balances.hold(request)).outcome !== "held") return 0n;
        await balances.settle(request, 60n, chargeReceipt);
        return 60n;
      }),
    );
    await Promise.all(processes.map(({ close }) => close()));
    const total = spent.reduce<bigint>((sum, cost) => sum + cost, 0n);
    const { posted: left, held } = await store.balance("a");
    expect({ left, held }).toEqual({ left: 10_000n - total, held: 0n });
    expect(left).toBeGreaterThanOrEqual(0n);
    // The slices of others are the only reason to refuse one: less than a slice of each is left.
    expect(left).toBeLessThan(4n * 700n + 100n);
    expect(await store.verify()).toEqual([]);
  });
});
