import type { Awaitable } from "@tollgate/core/internal";
import { describe, expect, it } from "vitest";
import { openBatchingStore } from "../test-support/batching-store.ts";
import { fundedAccount, heldBy, holdRequest, tally } from "../test-support/booking.ts";
import { chargeReceipt } from "../test-support/receipts.ts";
import { watchedPool } from "../test-support/watched-pool.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresBalanceStore, postgresStores } from "./index.ts";

interface Outcome {
  readonly outcome: string;
}

const maxAmount = 2n ** 63n - 1n;

describeWithPostgres("concurrent calls on one account", ({ schema, pool }) => {
  const shared = pool();
  const openStore = (amount: bigint) => openBatchingStore(shared, schema, amount);

  it("share one statement", async () => {
    const { store, account, runConcurrently, statements } = await openStore(100n);
    const ids = await Promise.all(Array.from({ length: 5 }, () => heldBy(store, account, 10n)));
    const answers = await runConcurrently(() => [
      ...ids.map((id) => store.settle({ id, account }, 1n, chargeReceipt)),
      ...Array.from({ length: 20 }, () => store.hold(holdRequest(account, 1n))),
    ]);
    expect(tally(answers)).toEqual({ ended: 5, held: 20 });
    expect(statements()).toBe(1);
    expect(await store.balance(account)).toMatchObject({ posted: 95n, held: 20n, available: 75n });
  });

  it("release and settle before they hold", async () => {
    const { store, account, runConcurrently } = await openStore(100n);
    const [settled, released] = [await heldBy(store, account, 60n), await heldBy(store, account, 40n)];
    const answers = await runConcurrently(() => [
      store.hold(holdRequest(account, 70n)),
      store.settle({ id: settled, account }, 30n, chargeReceipt),
      store.release({ id: released, account }),
    ]);
    expect(answers.map(({ outcome }) => outcome)).toEqual(["held", "ended", "ended"]);
    expect(await store.balance(account)).toMatchObject({ posted: 70n, held: 70n, available: 0n });
  });

  it("hold in order, and a hold that exceeds the balance does not block later ones", async () => {
    const { store, account, runConcurrently } = await openStore(100n);
    const amounts = [50n, 60n, 30n, 21n, 20n, 1n];
    const answers = await runConcurrently(() => amounts.map((amount) => store.hold(holdRequest(account, amount))));
    expect(answers.map(({ outcome }) => outcome)).toEqual([
      "held",
      "insufficient",
      "held",
      "insufficient",
      "held",
      "insufficient",
    ]);
    expect(await store.balance(account)).toMatchObject({ posted: 100n, held: 100n, available: 0n });
  });

  it("return a balance that explains a refusal", async () => {
    const { store, account, runConcurrently } = await openStore(100n);
    const answers = await runConcurrently(() => [80n, 30n].map((amount) => store.hold(holdRequest(account, amount))));
    expect(answers).toEqual([
      { outcome: "held", balance: { posted: 100n, held: 80n, available: 20n }, amount: 80n },
      { outcome: "insufficient", balance: { posted: 100n, held: 80n, available: 20n } },
    ]);
  });

  it("see the effect of earlier calls with the same id", async () => {
    const { store, account, runConcurrently } = await openStore(100n);
    const id = await heldBy(store, account, 10n);
    const request = holdRequest(account, 20n);
    const answers = await runConcurrently(() => [
      store.settle({ id, account }, 5n, chargeReceipt),
      store.settle({ id, account }, 5n, chargeReceipt),
      store.settle({ id, account }, 6n, chargeReceipt),
      store.release({ id, account }),
      store.hold(request),
      store.hold(request),
      store.hold({ ...request, amount: 21n }),
      store.release(request),
      store.hold(request),
    ]);
    expect(answers.map(({ outcome }) => outcome)).toEqual([
      "ended",
      "repeated",
      "conflict",
      "conflict",
      "held",
      "held",
      "conflict",
      "ended",
      "ended",
    ]);
    expect(await store.balance(account)).toMatchObject({ posted: 95n, held: 0n, available: 95n });
  });

  it("recognize existing holds", async () => {
    const { store, account, runConcurrently } = await openStore(100n);
    const [pending, released] = [holdRequest(account, 100n), holdRequest(account, 0n)];
    for (const each of [pending, released]) expect((await store.hold(each)).outcome).toBe("held");
    await store.release({ id: released.id, account });
    const answers = await runConcurrently(() => [
      store.hold(pending),
      store.hold({ ...pending, keyId: "another" }),
      store.hold(released),
      store.hold(holdRequest(account, 1n)),
      store.hold(holdRequest(account, 0n)),
    ]);
    expect(tally(answers)).toEqual({ held: 2, ended: 1, conflict: 1, insufficient: 1 });
    expect(await store.balance(account)).toMatchObject({ posted: 100n, held: 100n, available: 0n });
  });

  it("can be the first calls of an account", async () => {
    const { store, runConcurrently } = await openStore(0n);
    const account = crypto.randomUUID();
    const answers = await runConcurrently(
      () => [store.hold(holdRequest(account, 0n)), store.hold(holdRequest(account, 1n))],
      account,
    );
    expect(answers.map(({ outcome }) => outcome)).toEqual(["held", "insufficient"]);
  });

  it("succeed when one of them is invalid", async () => {
    const { store, account, runConcurrently } = await openStore(100n);
    const ids = await Promise.all(Array.from({ length: 4 }, () => heldBy(store, account, 10n)));
    const [first = "", second = "", third = "", fourth = ""] = ids;
    const orError = async (call: Awaitable<Outcome>) => {
      try {
        return await call;
      } catch (error) {
        return { outcome: String(error) };
      }
    };
    const outcomes = await runConcurrently(() =>
      [
        store.hold({ ...holdRequest(account, 1n), leaseMs: Number.NaN }),
        store.settle({ id: first, account }, 5n, chargeReceipt),
        store.hold(holdRequest(account, 20n)),
        store.release({ id: fourth, account }),
      ].map(orError),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([expect.stringMatching(/^error/), "ended", "held", "ended"]);
    expect(await store.balance(account)).toMatchObject({ posted: 95n, held: 40n, available: 55n });
    const tooMuch = await runConcurrently(() =>
      [
        store.settle({ id: second, account }, maxAmount, chargeReceipt),
        store.settle({ id: third, account }, maxAmount, chargeReceipt),
      ].map(orError),
    );
    expect(tooMuch.map(({ outcome }) => outcome)).toEqual([
      "ended",
      expect.stringMatching(/^RangeError: A balance cannot exceed/),
    ]);
    expect(await store.verify()).toEqual([]);
  });

  it("all reject when the database is unavailable, and can be repeated", async () => {
    let down = false;
    const failing = watchedPool(shared, () => {
      if (down) throw new Error("timeout exceeded when trying to connect");
    });
    const store = postgresBalanceStore(failing, { schema });
    const account = await fundedAccount(store, 100n);
    const ids = await Promise.all(Array.from({ length: 3 }, () => heldBy(store, account, 10n)));
    down = true;
    const failed = await Promise.allSettled([
      ...ids.map((id) => store.settle({ id, account }, 1n, chargeReceipt)),
      store.hold(holdRequest(account, 1n)),
    ]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "rejected"]);
    down = false;
    expect(tally(await Promise.all(ids.map((id) => store.settle({ id, account }, 1n, chargeReceipt))))).toEqual({
      ended: 3,
    });
  });

  it("check the key and terms of each hold", async () => {
    const { keys, balances, terms } = await postgresStores(shared, { schema });
    const account = await fundedAccount(balances, 1_000n);
    const [good, bad] = await Promise.all([0, 1].map(() => keys.create({ account, plan: "basic" })));
    await keys.revoke(bad?.key.id ?? "");
    await terms.accept(account, "v1");
    const hold = (keyId = "", versions: readonly string[] = []) =>
      balances.hold({ ...holdRequest(account, 100n), keyId, terms: versions });
    const answers = await Promise.all([
      hold(good?.key.id),
      hold(good?.key.id, ["v1"]),
      hold(good?.key.id, ["v2"]),
      hold(bad?.key.id, ["v2"]),
      hold(good?.key.id, ["v2", "v1"]),
      hold("unknown"),
    ]);
    expect(answers.map(({ outcome }) => outcome)).toEqual([
      "held",
      "held",
      "terms_refused",
      "key_refused",
      "held",
      "key_refused",
    ]);
    expect((await balances.balance(account)).held).toBe(300n);
  });

  it("grant exactly 100 of 6,400 holds on a balance that covers 100, from two processes", async () => {
    const stores = [postgresBalanceStore(shared, { schema }), postgresBalanceStore(pool(), { schema })] as const;
    const account = await fundedAccount(stores[0], 1_000n);
    const answers = await Promise.all(
      Array.from({ length: 6_400 }, (_, index) => stores[index % 2 === 0 ? 0 : 1].hold(holdRequest(account, 10n))),
    );
    expect(tally(answers)).toEqual({ held: 100, insufficient: 6_300 });
    expect(await stores[0].balance(account)).toMatchObject({ posted: 1_000n, held: 1_000n, available: 0n });
    expect(await stores[0].verify()).toEqual([]);
  });

  describe("and a hold of another process", () => {
    it("can be ended by this process", async () => {
      const { store, account, runConcurrently } = await openStore(100n);
      const other = postgresBalanceStore(pool(), { schema });
      const ids = await Promise.all(Array.from({ length: 4 }, () => heldBy(other, account, 10n)));
      const answers = await runConcurrently(() => [
        ...ids.slice(0, 2).map((id) => store.settle({ id, account }, 1n, chargeReceipt)),
        ...ids.slice(2).map((id) => store.release({ id, account })),
        store.settle({ id: crypto.randomUUID(), account }, 1n, chargeReceipt),
      ]);
      expect(tally(answers)).toEqual({ ended: 4, unknown: 1 });
      expect(await store.balance(account)).toMatchObject({ posted: 98n, held: 0n, available: 98n });
    });

    it("of another account is unknown to a batch", async () => {
      const { store, account, runConcurrently } = await openStore(100n);
      const otherAccount = await fundedAccount(store, 100n);
      const id = await heldBy(postgresBalanceStore(pool(), { schema }), otherAccount, 10n);
      const answers = await runConcurrently(() => [
        store.settle({ id, account }, 4n, chargeReceipt),
        store.hold(holdRequest(account, 1n)),
      ]);
      expect(answers.map(({ outcome }) => outcome)).toEqual(["unknown", "held"]);
      expect(await store.balance(otherAccount)).toMatchObject({ posted: 100n, held: 10n });
    });
  });
});
