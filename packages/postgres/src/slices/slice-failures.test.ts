import { memoryBalanceStore } from "@tollgate/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chargeReceipt } from "../../test-support/receipts.ts";
import { openSlice, openSlices, pay, slicedRequest } from "../../test-support/slicing.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => vi.useRealTimers());

const afterTwoRequests = 9_880n;

describe("in a slice", () => {
  it("a repeated call has no further effect, and the same id with other content is a conflict", async () => {
    const { balances } = await openSlices();
    await openSlice(balances);
    const [first, second] = [slicedRequest(100n), slicedRequest(100n)];
    for (let times = 0; times < 2; times++)
      expect(await balances.hold(first)).toMatchObject({ outcome: "held", amount: 100n });
    expect(await balances.hold({ ...first, amount: 101n })).toEqual({ outcome: "conflict" });
    expect(await balances.hold({ ...first, account: "b" })).toEqual({ outcome: "conflict" });
    expect(await balances.settle({ ...first, account: "b" }, 60n, chargeReceipt)).toEqual({ outcome: "unknown" });
    await balances.settle(first, 60n, chargeReceipt);
    expect(await balances.settle(first, 60n, chargeReceipt)).toEqual({ outcome: "repeated" });
    expect(await balances.settle(first, 61n, chargeReceipt)).toEqual({ outcome: "conflict" });
    expect(await balances.release(first)).toEqual({ outcome: "conflict" });
    expect(await balances.hold(first)).toEqual({ outcome: "ended", cost: 60n });
    await balances.hold(second);
    await balances.release(second);
    expect(await balances.release(second)).toEqual({ outcome: "repeated" });
    expect(await balances.hold(second)).toEqual({ outcome: "ended", cost: undefined });
  });

  it("a frozen account pays for no further request once the same process has frozen it", async () => {
    const store = memoryBalanceStore();
    const { balances } = await openSlices({}, store);
    await openSlice(balances);
    store.freeze("a", "dispute");
    expect(await balances.hold(slicedRequest(100n))).toEqual({ outcome: "frozen" });
  });
});

describe("while the store is unavailable", () => {
  const outage = () => {
    throw new Error("connection lost");
  };

  it("a slice is settled again and again, and `close` rejects until it is", async () => {
    const { store, balances, close } = await openSlices();
    await openSlice(balances);
    await pay(balances, 10n);
    const settle = vi.spyOn(store, "settle").mockImplementation(outage);
    await vi.advanceTimersByTimeAsync(17_000);
    expect(settle).toHaveBeenCalledTimes(3);
    await expect(close()).rejects.toThrow("1 slices of balances could not be settled");
    settle.mockRestore();
    await close();
    expect(await store.balance("a")).toMatchObject({ posted: afterTwoRequests - 10n, held: 0n });
  });

  it("a slice whose hold may have succeeded is released", async () => {
    const { store, balances } = await openSlices();
    const hold = store.hold.bind(store);
    vi.spyOn(store, "hold").mockImplementation((request) => {
      const result = hold(request);
      if (request.amount === 1_000n) outage();
      return result;
    });
    await openSlice(balances);
    expect((await store.balance("a")).held).toBe(0n);
    await pay(balances, 10n);
    expect((await store.balance("a")).posted).toBe(afterTwoRequests - 10n);
  });

  it("an open slice holds requests for as long as it would otherwise", async () => {
    const { store, balances } = await openSlices();
    await openSlice(balances);
    vi.spyOn(store, "hold").mockImplementation(outage);
    await pay(balances, 10n);
    await vi.advanceTimersByTimeAsync(15_000);
    await expect(async () => balances.hold(slicedRequest(100n))).rejects.toThrow("connection lost");
  });
});

describe("the options of slices", () => {
  it.each([
    [{ amount: "0", above: "1" }, "`slices.amount` must be above zero, a bigint of nano-units or a decimal string"],
    [{ amount: "1", above: -1n }, "`slices.above` must be a bigint of nano-units or a decimal string"],
    [{ amount: "1", above: "1", most: 2 }, "most"],
  ])("are checked: %o", async (options, message) => {
    await expect(
      openSlices(
        JSON.parse(JSON.stringify(options, (_, value) => (typeof value === "bigint" ? Number(value) : value))),
      ),
    ).rejects.toThrow(message);
  });
});
