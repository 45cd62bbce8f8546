import { deepEqual, equal, rejects } from "node:assert/strict";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { type BalanceContext, holdRequest } from "./context.ts";
import { expiredHold } from "./expired-hold.ts";

/** The cases of `hold`. */
export const holdCases: Cases<BalanceContext> = {
  "an unknown account has a balance of zero": async ({ hold, expectBalance }) => {
    await expectBalance(0n, 0n);
    equal((await hold(1n)).outcome, "insufficient");
    await expectBalance(0n, 0n);
  },
  "a hold of zero succeeds on a balance of zero": async ({ held, expectBalance }) => {
    await held(0n);
    await expectBalance(0n, 0n);
  },
  "a hold reduces the available balance and not the posted one": async ({ credit, hold, expectBalance }) => {
    await credit(100n);
    const result = await hold(30n);
    deepEqual(result, { outcome: "held", balance: { posted: 100n, held: 30n, available: 70n }, amount: 30n });
    await expectBalance(100n, 30n);
  },
  "a hold can use the whole available balance and no more": async ({ credit, held, hold, expectBalance }) => {
    await credit(100n);
    await held(60n);
    const refused = await hold(41n);
    deepEqual(refused, { outcome: "insufficient", balance: { posted: 100n, held: 60n, available: 40n } });
    await held(40n);
    await expectBalance(100n, 100n);
  },
  "a refused hold has no effect and can be retried": async ({ credit, hold, held, expectBalance }) => {
    const id = crypto.randomUUID();
    equal((await hold(10n, { id })).outcome, "insufficient");
    await credit(10n);
    await held(10n, { id });
    await expectBalance(10n, 10n);
  },
  "a repeated hold takes effect once": async ({ credit, held, expectBalance }) => {
    await credit(100n);
    const id = await held(30n);
    await held(30n, { id });
    await expectBalance(100n, 30n);
  },
  "a repeated hold has no effect after the hold was settled or released, and says so": async (context) => {
    await context.credit(100n);
    const [settled, free, released] = [await context.held(30n), await context.held(30n), await context.held(30n)];
    await context.settle(settled, 20n);
    await context.settle(free, 0n);
    await context.release(released);
    deepEqual(await context.hold(30n, { id: settled }), { outcome: "ended", cost: 20n });
    deepEqual(await context.hold(30n, { id: free }), { outcome: "ended", cost: 0n });
    deepEqual(await context.hold(30n, { id: released }), { outcome: "ended", cost: undefined });
    equal((await context.hold(31n, { id: settled })).outcome, "conflict");
    await context.expectBalance(80n, 0n);
  },
  "a repeated hold has no effect after the hold has expired, and can be settled late once": async (context) => {
    await context.credit(100n);
    const id = await expiredHold(context, 30n, 10n);
    await context.held(30n, { id });
    await context.expectBalance(90n, 0n);
    equal(await context.settle(id, 20n), "late");
    deepEqual(await context.hold(30n, { id }), { outcome: "ended", cost: 20n });
    await context.expectBalance(80n, 0n);
  },
  "the same id with different content is a conflict and has no effect": async ({
    credit,
    held,
    hold,
    account,
    ...rest
  }) => {
    await credit(100n);
    const id = await held(30n);
    const otherAccount = `${account}-other`;
    for (const other of [{ amount: 31n }, { keyId: "key-2" }, { account: otherAccount }]) {
      equal((await hold(30n, { id, ...other })).outcome, "conflict");
    }
    await rest.expectBalance(100n, 30n);
    equal((await rest.store.balance(otherAccount)).held, 0n);
  },
  "amounts beyond the precision of a double stay exact": async ({ credit, held, settle, expectBalance }) => {
    await credit(9_007_199_254_740_993n);
    const id = await held(9_007_199_254_740_993n);
    await expectBalance(9_007_199_254_740_993n, 9_007_199_254_740_993n);
    await settle(id, 9_007_199_254_740_992n);
    await expectBalance(1n, 0n);
  },
  "a negative amount throws and has no effect": async ({ credit, hold, expectBalance }) => {
    await credit(5n);
    await rejects(hold(-1n));
    await expectBalance(5n, 0n);
  },
  "exactly 10 of 100 parallel holds succeed on a balance that covers 10": async (context) => {
    await context.credit(1_000n);
    const results = await callConcurrently(context, 100, (client) => client.hold(holdRequest(context.account, 100n)));
    deepEqual(tally(results), { held: 10, insufficient: 90 });
    await context.expectBalance(1_000n, 1_000n);
  },
  "parallel holds of different amounts never exceed the balance": async (context) => {
    await context.credit(1_000n);
    const amountOf = (index: number) => BigInt((index % 7) * 30 + 1);
    const results = await callConcurrently(context, 60, (client, at) =>
      client.hold(holdRequest(context.account, amountOf(at))),
    );
    const sum = results.reduce((total, { outcome }, at) => total + (outcome === "held" ? amountOf(at) : 0n), 0n);
    equal(sum <= 1_000n, true);
    await context.expectBalance(1_000n, sum);
  },
  "50 parallel repetitions of one hold take effect once": async (context) => {
    await context.credit(1_000n);
    const request = holdRequest(context.account, 100n);
    deepEqual(tally(await callConcurrently(context, 50, (client) => client.hold(request))), { held: 50 });
    await context.expectBalance(1_000n, 100n);
  },
  "of two parallel holds with the same id and different content, one succeeds": async (context) => {
    await context.credit(1_000n);
    const id = crypto.randomUUID();
    const results = await callConcurrently(context, 2, (client, at) =>
      client.hold(holdRequest(context.account, BigInt(100 + at), { id })),
    );
    deepEqual(tally(results), { held: 1, conflict: 1 });
    await context.expectBalance(1_000n, results[0]?.outcome === "held" ? 100n : 101n);
  },
};
