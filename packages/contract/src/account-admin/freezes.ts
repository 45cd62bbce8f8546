import { deepEqual, equal, rejects } from "node:assert/strict";
import { holdRequest } from "../balance-store/context.ts";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import type { AccountContext } from "./context.ts";

/** The cases of frozen accounts. */
export const freezeCases: Cases<AccountContext> = {
  "a frozen account places no hold, and a thawed one does": async (context) => {
    const { store, peer, account } = context;
    await context.credit(100n);
    await store.freeze(account, "dispute 17");
    deepEqual(await context.hold(10n), { outcome: "frozen" });
    deepEqual(await peer.hold(holdRequest(account, 0n)), { outcome: "frozen" });
    await context.expectBalance(100n, 0n);
    await peer.thaw(account);
    await context.held(10n);
  },
  "the freeze is checked before the balance and the limit": async (context) => {
    await context.store.freeze(context.account, "dispute 17");
    equal((await context.hold(10n)).outcome, "frozen");
    equal((await context.hold(0n, { spend: { account: { limit: 0n, window: "total" } } })).outcome, "frozen");
  },
  "a repeated hold returns held, and running ones end as usual": async (context) => {
    const { store, account } = context;
    await context.credit(100n);
    const id = crypto.randomUUID();
    const other = await context.held(20n);
    await context.held(10n, { id });
    await store.freeze(account, "dispute 17");
    await context.held(10n, { id });
    deepEqual([...(await store.renew([{ id, account, used: 1n }], 60_000))], [id]);
    equal(await context.settle(id, 5n), "ended");
    equal(await context.release(other), "ended");
    await context.expectBalance(95n, 0n);
  },
  "a frozen account can be credited, debited and refunded, and is granted no allowance": async (context) => {
    const { store, account } = context;
    await context.credit(100n);
    const { sequence } = await context.charge(30n);
    await store.freeze(account, "dispute 17");
    await context.credit(10n);
    await store.debit({ id: crypto.randomUUID(), account, amount: 5n, reason: "dispute 17" });
    equal((await store.refund({ account, sequence, reason: "poor answer" })).outcome, "posted");
    equal((await context.hold(1n, { allowance: { amount: 100n, window: "month" } })).outcome, "frozen");
    await context.expectBalance(105n, 0n);
  },
  "an account shows since when and why it is frozen, by the first date and the last reason": async (context) => {
    const { store, account } = context;
    await context.credit(100n);
    equal("frozen" in (await store.balance(account)), false);
    await store.freeze(account, "dispute 17");
    const first = await frozenOf(context);
    equal(first?.reason, "dispute 17");
    // A tolerance of one minute, since the store can use the clock of another machine.
    equal(Math.abs(Date.now() - (first?.at.getTime() ?? 0)) < 60_000, true);
    await context.wait(5);
    await store.freeze(account, "dispute 17 and 18");
    deepEqual(await frozenOf(context), { at: first?.at, reason: "dispute 17 and 18" });
    await store.thaw(account);
    await store.thaw(account);
    equal(await frozenOf(context), undefined);
    equal("frozen" in (await store.balance(account)), false);
  },
  "a new account can be frozen, and thawing one that was never used has no effect": async (context) => {
    const { store, account } = context;
    await store.thaw(account);
    equal(await store.findAccount(account), undefined);
    await store.freeze(account, "unpaid invoice");
    equal((await frozenOf(context))?.reason, "unpaid invoice");
    const page = await store.listAccounts({ limit: 10, prefix: account });
    deepEqual(
      page.accounts.map(({ id, frozen }) => [id, frozen?.reason]),
      [[account, "unpaid invoice"]],
    );
  },
  "listeners are told of the accounts that are frozen and thawed, until they are removed": async (context) => {
    const { store, account } = context;
    const told: string[] = [];
    const remove = store.onFreeze((frozen) => told.push(`one ${frozen}`));
    const removeOther = store.onFreeze((frozen) => told.push(`other ${frozen}`));
    await store.freeze(account, "dispute 17");
    deepEqual([...told].sort(), [`one ${account}`, `other ${account}`]);
    remove();
    await store.thaw(account);
    deepEqual(told.slice(2), [`other ${account}`]);
    removeOther();
    await store.freeze(account, "dispute 17");
    equal(told.length, 3);
  },
  "a missing account or reason throws": async ({ store, account }) => {
    await rejects(async () => store.freeze("", "dispute 17"), { name: "RangeError", message: /`account` must be/ });
    await rejects(async () => store.freeze(account, ""), { name: "RangeError", message: /`reason` must be/ });
    await rejects(async () => store.thaw(""), RangeError);
    equal(await store.findAccount(account), undefined);
  },
  "no hold succeeds after a freeze has returned": async (context) => {
    const { account } = context;
    await context.credit(1_000n);
    let heldAtFreeze = 0n;
    const results = await callConcurrently(context, 51, async (client, at) => {
      if (at !== 25) return client.hold(holdRequest(account, 1n));
      await client.freeze(account, "dispute 17");
      heldAtFreeze = (await client.balance(account)).held;
      return client.hold(holdRequest(account, 1n));
    });
    const { held = 0, frozen = 0 } = tally(results);
    equal(held + frozen, 51);
    equal(results[25]?.outcome, "frozen");
    await context.expectBalance(1_000n, heldAtFreeze);
    equal(heldAtFreeze, BigInt(held));
  },
};

async function frozenOf({ store, account }: AccountContext) {
  const found = (await store.findAccount(account))?.frozen;
  deepEqual((await store.balance(account)).frozen, found);
  return found;
}
