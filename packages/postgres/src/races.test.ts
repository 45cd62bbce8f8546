import type { BalanceStore } from "@tollgate/core/store";
import { expect, it } from "vitest";
import { fundedAccount, heldBy, holdRequest, tally } from "../test-support/booking.ts";
import { chargeReceipt } from "../test-support/receipts.ts";
import { gate, watchedPool } from "../test-support/watched-pool.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresBalanceStore } from "./index.ts";

describeWithPostgres("two processes with one database", ({ schema, pool }) => {
  const pools = [pool(), pool()] as const;
  const [store, other] = [postgresBalanceStore(pools[0], { schema }), postgresBalanceStore(pools[1], { schema })];
  const stores = [store, other] as const;

  it("create one hold per id, however often both request it", async () => {
    const account = await fundedAccount(store, 1_000n);
    const requests = Array.from({ length: 60 }, () => holdRequest(account, 10n));
    const answers = await Promise.all(
      requests.flatMap((request) => [store.hold(request), other.hold(request), store.hold(request)]),
    );
    expect(tally(answers)).toEqual({ held: 180 });
    expect((await store.balance(account)).held).toBe(600n);
  });

  it("never report insufficient funds because of the same hold", async () => {
    for (let round = 0; round < 20; round++) {
      const request = holdRequest(await fundedAccount(store, 10n), 10n);
      const answers = await Promise.all([store, other, store, other].map((each) => each.hold(request)));
      expect(tally(answers)).toEqual({ held: 4 });
    }
  });

  it("give an id to one of two accounts, even when many ids collide", async () => {
    const { opened, open } = gate();
    let batches = 0;
    // Both batches start at the same time.
    const together = ({ text }: { readonly text: string }) => {
      if (!text.includes("jsonb_to_recordset")) return;
      if (++batches === 2) open();
      return opened;
    };
    const watched = pools.map((each) => watchedPool(each, together));
    const crossing = watched.map((each) => postgresBalanceStore(each, { schema }));
    const accounts = await Promise.all(crossing.map((each) => fundedAccount(each, 1_000n)));
    // A full batch and the call that runs before it.
    const ids = Array.from({ length: 251 }, () => crypto.randomUUID());
    const answers = await Promise.all(
      crossing.flatMap((each, index) =>
        (index === 0 ? ids : ids.toReversed()).map((id) =>
          each.hold({ ...holdRequest(accounts[index] ?? "", 1n), id }),
        ),
      ),
    );
    expect(tally(answers)).toEqual({ held: 251, conflict: 251 });
    const balances = await Promise.all(accounts.map((account) => store.balance(account)));
    expect(balances.reduce((sum, { held }) => sum + held, 0n)).toBe(251n);
    expect(watched.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it("post one credit per id, even on new accounts", async () => {
    const posting = { id: crypto.randomUUID(), account: crypto.randomUUID(), amount: 5n, reason: "top-up" };
    const onOtherAccount = { ...posting, account: crypto.randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        stores[index % 2 === 0 ? 0 : 1].credit(index % 4 < 2 ? posting : onOtherAccount),
      ),
    );
    expect(tally(answers)).toEqual({ posted: 1, repeated: 19, conflict: 20 });
  });

  it("create no account for a posting whose id is taken", async () => {
    const posting = { id: crypto.randomUUID(), account: crypto.randomUUID(), amount: 5n, reason: "top-up" };
    await store.credit(posting);
    const onNewAccount = { ...posting, account: crypto.randomUUID() };
    expect(await other.credit(onNewAccount)).toEqual({ outcome: "conflict" });
    expect(await other.findAccount(onNewAccount.account)).toBeUndefined();
  });

  it("show a reader the entries of an account without gaps while they are written", async () => {
    const account = await fundedAccount(store, 10_000n);
    let writing: number = stores.length;
    const write = async (each: BalanceStore) => {
      for (let round = 0; round < 60; round++) {
        const ids = await Promise.all([1, 2, 3].map(() => heldBy(each, account, 1n)));
        const credit = each.credit({ id: crypto.randomUUID(), account, amount: 3n, reason: "top-up" });
        await Promise.all([credit, ...ids.map((id) => each.settle({ id, account }, 1n, chargeReceipt))]);
      }
      writing--;
    };
    const seen: bigint[] = [];
    const read = async () => {
      for (;;) {
        const isWritten = writing === 0;
        const page = await other.entries({ account, limit: 7, after: seen.at(-1) ?? 0n });
        seen.push(...page.entries.map(({ sequence }) => sequence));
        if (isWritten && page.entries.length === 0) return;
      }
    };
    await Promise.all([...stores.map(write), read()]);
    const all = (await store.entries({ account, limit: 1_000 })).entries;
    expect(all).toHaveLength(1 + 2 * 60 * 4);
    expect(seen).toEqual(all.map(({ sequence }) => sequence));
    const times = all.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((one, another) => one - another));
  });

  it("do not deadlock under any combination of calls", async () => {
    const watched = pools.map((each) => watchedPool(each));
    const accounts = await Promise.all([1, 2, 3].map(() => fundedAccount(store, 1_000_000n)));
    const end = Date.now() + 3_000;
    let round = 0;
    const work = async (each: BalanceStore) => {
      while (Date.now() < end) {
        const turn = round++;
        const leaseMs = turn % 3 === 0 ? 5 : 60_000;
        const request = { ...holdRequest(accounts[turn % accounts.length] ?? "", 10n), leaseMs };
        await each.hold(request);
        const ending = turn % 5 === 0 ? each.release(request) : each.settle(request, 4n, chargeReceipt);
        await Promise.all([
          each.renew([{ id: request.id, account: request.account, used: 3n }], leaseMs),
          each.expire(),
          ending,
        ]);
      }
    };
    const busy = watched.map((each) => postgresBalanceStore(each, { schema }));
    await Promise.all(busy.flatMap((each) => Array.from({ length: 12 }, () => work(each))));
    expect(round).toBeGreaterThan(100);
    expect(watched.flatMap(({ errors }) => errors)).toEqual([]);
    expect(await store.verify()).toEqual([]);
  });
});
