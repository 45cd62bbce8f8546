import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Posting } from "@tollgate/core/store";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import type { BalanceContext } from "./context.ts";

/** The cases of `credit` and `debit`. */
export const postingCases: Cases<BalanceContext> = {
  "a credit and a debit change the posted balance": async ({ store, account, expectBalance }) => {
    const credited = await store.credit(posting(account, 100n));
    deepEqual(credited, { outcome: "posted", balance: { posted: 100n, held: 0n, available: 100n }, amount: 100n });
    const debited = await store.debit(posting(account, 30n));
    deepEqual(debited, { outcome: "posted", balance: { posted: 70n, held: 0n, available: 70n }, amount: 30n });
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
  "an amount can be a decimal string": async ({ store, account, expectBalance }) => {
    const credit = { ...posting(account, 5_000_000_000n), amount: "5.00" };
    equal((await store.credit(credit)).outcome, "posted");
    equal((await store.credit({ ...credit, amount: 5_000_000_000n })).outcome, "repeated");
    equal((await store.debit({ ...posting(account, 1n), amount: "0.000000001" })).outcome, "posted");
    await expectBalance(4_999_999_999n, 0n);
  },
  "what is surely a mistake throws with what to write": async ({ store, account, expectBalance }) => {
    const mistakes: readonly (readonly [change: object, message: RegExp])[] = [
      [{ amount: 5 }, /`amount` must be a decimal string, .* such as parseAmount\("5\.00"\), not the number 5/],
      [{ amount: "5 EUR" }, /"5 EUR" is not a decimal number/],
      [{ amount: "-5" }, /`amount`/],
      [{ amount: 2n ** 63n }, /from 1 to 2\^63 - 1 nano-units/],
      [{ amount: undefined }, /`amount` is missing/],
      [{ account: undefined }, /`account` is missing/],
      [{ account: "" }, /`account` must be a string of at least one character/],
      [{ id: undefined }, /`id` is missing/],
      [{ reason: undefined }, /`reason` is missing/],
      [{ currency: "EUR" }, /`currency` is not a member of a posting/],
      [{ acount: account }, /Did you mean account\?/],
    ];
    for (const [change, message] of mistakes) {
      const wrong = Object.assign(posting(account, 1n), change);
      await rejects(async () => store.credit(wrong), { name: "RangeError", message });
      await rejects(async () => store.debit(wrong), { name: "RangeError", message });
    }
    await expectBalance(0n, 0n);
  },
  "a missing account or a misspelt filter throws": async ({ store, account }) => {
    await rejects(async () => store.balance(""), { name: "RangeError", message: /`account` must be a string/ });
    await rejects(async () => store.entries({ account: "", limit: 1 }), { name: "RangeError", message: /`account`/ });
    const query = Object.assign({ account, limit: 1 }, { referrence: "x" });
    await rejects(async () => store.entries(query), { name: "RangeError", message: /Did you mean reference\?/ });
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
