import { memoryBalanceStore } from "@tollgate/core";
import { expect, it } from "vitest";
import { chargeReceipt, plainHold } from "../../packages/core/test-support/receipts.ts";
import { AllowanceBalanceStore } from "../bench/scaling/allowance-balance-store.ts";

const options = { amount: 1_000n, leaseMs: 60_000, receipt: chargeReceipt };
const holdOf = (amount: bigint) => ({
  id: crypto.randomUUID(),
  account: "a",
  keyId: "k",
  amount,
  leaseMs: 60_000,
  ...plainHold,
});

it("never overspends an account that several processes take allowances from", async () => {
  const store = memoryBalanceStore();
  await store.credit({ id: "credit", account: "a", amount: 10_500n, reason: "test" });
  const processes = Array.from({ length: 4 }, () => new AllowanceBalanceStore(store, options));
  const spent = await Promise.all(
    Array.from({ length: 400 }, async (_, place) => {
      const own = processes[place % processes.length];
      const request = holdOf(100n);
      if (own === undefined || (await own.hold(request)).outcome !== "held") return 0n;
      await own.settle(request.id, 60n, chargeReceipt);
      return 60n;
    }),
  );
  for (const own of processes) await own.flush();
  const total = spent.reduce<bigint>((sum, each) => sum + each, 0n);
  const { posted, held } = await store.balance("a");
  expect({ posted, held }).toEqual({ posted: 10_500n - total, held: 0n });
  expect(posted).toBeGreaterThanOrEqual(0n);
  expect(await store.verify()).toEqual([]);
  // What the allowances of others have left is refused, although the account has it.
  expect(total).toBeGreaterThan(5_000n);
});

it("returns what an allowance has left when it is full and its last request has ended", async () => {
  const store = memoryBalanceStore();
  await store.credit({ id: "credit", account: "a", amount: 2_000n, reason: "test" });
  const own = new AllowanceBalanceStore(store, options);
  const [first, second] = [holdOf(600n), holdOf(600n)];
  await own.hold(first);
  await own.hold(second);
  expect((await store.balance("a")).held).toBe(2_000n);
  await own.settle(first.id, 10n, chargeReceipt);
  expect(await store.balance("a")).toMatchObject({ posted: 1_990n, held: 1_000n });
  await own.release(second.id);
  await own.flush();
  expect(await store.balance("a")).toMatchObject({ posted: 1_990n, held: 0n });
});

it("asks the store for a request that is larger than an allowance", async () => {
  const store = memoryBalanceStore();
  await store.credit({ id: "credit", account: "a", amount: 5_000n, reason: "test" });
  const own = new AllowanceBalanceStore(store, options);
  const large = holdOf(4_000n);
  expect(await own.hold(large)).toMatchObject({ outcome: "held" });
  expect(await own.settle(large.id, 3_000n, chargeReceipt)).toEqual({ outcome: "ended" });
});
