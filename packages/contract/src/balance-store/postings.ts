import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Posting } from "@tollgate/core/store";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import type { BalanceContext } from "./context.ts";

/** The cases of `credit` and `debit`. */
export const postingCases: Cases<BalanceContext> = {
  "a credit and a debit change the posted balance": async ({ store, account, expectBalance }) => {
    const credited = await store.credit(posting(account, 100n));
    deepEqual(credited, { outcome: "posted", balance: { posted: 100n, held: 0n, available: 100n } });
    const debited = await store.debit(posting(account, 30n));
    deepEqual(debited, { outcome: "posted", balance: { posted: 70n, held: 0n, available: 70n } });
    await expectBalance(70n, 0n);
  },
  "a debit can exceed the balance": async ({ store, account, hold, expectBalance }) => {
    await store.debit(posting(account, 30n));
    await expectBalance(-30n, 0n);
    equal((await hold(0n)).outcome, "insufficient");
  },
  "a repeated posting takes effect once": async ({ store, account, expectBalance }) => {
    const credit = posting(account, 100n);
    const debit = posting(account, 30n);
    await store.credit(credit);
    await store.debit(debit);
    equal((await store.credit(credit)).outcome, "repeated");
    equal((await store.debit(debit)).outcome, "repeated");
    await expectBalance(70n, 0n);
  },
  "the same id with different content is a conflict and has no effect": async ({ store, account, expectBalance }) => {
    const credit = posting(account, 100n);
    await store.credit(credit);
    const others = [{ amount: 101n }, { reason: "refund" }, { account: `${account}-other` }];
    for (const other of others) deepEqual(await store.credit({ ...credit, ...other }), { outcome: "conflict" });
    equal((await store.debit(credit)).outcome, "conflict");
    await expectBalance(100n, 0n);
    equal((await store.balance(`${account}-other`)).posted, 0n);
  },
  "an amount of zero or less throws": async ({ store, account, expectBalance }) => {
    for (const amount of [0n, -5n]) {
      await rejects(async () => store.credit(posting(account, amount)));
      await rejects(async () => store.debit(posting(account, amount)));
    }
    await expectBalance(0n, 0n);
  },
  "50 parallel repetitions of one credit take effect once": async (context) => {
    const credit = posting(context.account, 100n);
    const results = await callConcurrently(context, 50, (client) => client.credit(credit));
    deepEqual(tally(results), { posted: 1, repeated: 49 });
    await context.expectBalance(100n, 0n);
  },
  "no parallel credit is lost": async (context) => {
    await callConcurrently(context, 50, (client, at) => client.credit(posting(context.account, BigInt(at + 1))));
    await context.expectBalance(1_275n, 0n);
  },
};

function posting(account: string, amount: bigint): Posting {
  return { id: crypto.randomUUID(), account, amount, reason: "top-up" };
}
