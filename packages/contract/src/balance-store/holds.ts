import { deepEqual, equal, rejects } from "node:assert/strict";
import { crowd, tally } from "../crowd.ts";
import type { Cases } from "../suite.ts";
import { type BalanceContext, holdRequest } from "./context.ts";

/** What holds of `hold`. */
export const holdCases: Cases<BalanceContext> = {
  "an account that was never seen has nothing": async ({ hold, expectBalance }) => {
    await expectBalance(0n, 0n);
    equal((await hold(1n)).outcome, "insufficient");
    await expectBalance(0n, 0n);
  },
  "a hold of nothing is granted on a balance of zero": async ({ held, expectBalance }) => {
    await held(0n);
    await expectBalance(0n, 0n);
  },
  "a hold takes from what is available and not from what is posted": async ({ credit, hold, expectBalance }) => {
    await credit(100n);
    const result = await hold(30n);
    deepEqual(result, { outcome: "held", balance: { posted: 100n, held: 30n, available: 70n } });
    await expectBalance(100n, 30n);
  },
  "the last unit can be held and not one more": async ({ credit, held, hold, expectBalance }) => {
    await credit(100n);
    await held(60n);
    const refused = await hold(41n);
    deepEqual(refused, { outcome: "insufficient", balance: { posted: 100n, held: 60n, available: 40n } });
    await held(40n);
    await expectBalance(100n, 100n);
  },
  "a refused hold leaves nothing behind and may be asked again": async ({ credit, hold, held, expectBalance }) => {
    const id = crypto.randomUUID();
    equal((await hold(10n, { id })).outcome, "insufficient");
    await credit(10n);
    await held(10n, { id });
    await expectBalance(10n, 10n);
  },
  "the same id again holds once": async ({ credit, held, expectBalance }) => {
    await credit(100n);
    const id = await held(30n);
    await held(30n, { id });
    await expectBalance(100n, 30n);
  },
  "the same id again holds nothing when the hold has ended": async ({ credit, held, settle, expectBalance }) => {
    await credit(100n);
    const id = await held(30n);
    await settle(id, 20n);
    await held(30n, { id });
    await expectBalance(80n, 0n);
  },
  "the same id with other content is a conflict without effect": async ({ credit, held, hold, account, ...rest }) => {
    await credit(100n);
    const id = await held(30n);
    const stranger = `${account}-stranger`;
    for (const other of [{ amount: 31n }, { keyId: "key-2" }, { account: stranger }]) {
      equal((await hold(30n, { id, ...other })).outcome, "conflict");
    }
    await rest.expectBalance(100n, 30n);
    equal((await rest.store.balance(stranger)).held, 0n);
  },
  "amounts beyond the precision of a double stay exact": async ({ credit, held, settle, expectBalance }) => {
    await credit(9_007_199_254_740_993n);
    const id = await held(9_007_199_254_740_993n);
    await expectBalance(9_007_199_254_740_993n, 9_007_199_254_740_993n);
    await settle(id, 9_007_199_254_740_992n);
    await expectBalance(1n, 0n);
  },
  "a negative amount throws and gives no credit": async ({ credit, hold, expectBalance }) => {
    await credit(5n);
    await rejects(hold(-1n));
    await expectBalance(5n, 0n);
  },
  "a hundred parallel holds on a balance worth ten give exactly ten": async (context) => {
    await context.credit(1_000n);
    const answers = await crowd(context, 100, (client) => client.hold(holdRequest(context.account, 100n)));
    deepEqual(tally(answers), { held: 10, insufficient: 90 });
    await context.expectBalance(1_000n, 1_000n);
  },
  "parallel holds of different size never exceed the balance": async (context) => {
    await context.credit(1_000n);
    const amountOf = (index: number) => BigInt((index % 7) * 30 + 1);
    const answers = await crowd(context, 60, (client, at) => client.hold(holdRequest(context.account, amountOf(at))));
    const sum = answers.reduce((total, { outcome }, at) => total + (outcome === "held" ? amountOf(at) : 0n), 0n);
    equal(sum <= 1_000n, true);
    await context.expectBalance(1_000n, sum);
  },
  "the same hold fifty times in parallel holds once": async (context) => {
    await context.credit(1_000n);
    const request = holdRequest(context.account, 100n);
    deepEqual(tally(await crowd(context, 50, (client) => client.hold(request))), { held: 50 });
    await context.expectBalance(1_000n, 100n);
  },
  "one id with two contents in parallel holds one of them": async (context) => {
    await context.credit(1_000n);
    const id = crypto.randomUUID();
    const answers = await crowd(context, 2, (client, at) =>
      client.hold(holdRequest(context.account, BigInt(100 + at), { id })),
    );
    deepEqual(tally(answers), { held: 1, conflict: 1 });
    await context.expectBalance(1_000n, answers[0]?.outcome === "held" ? 100n : 101n);
  },
};
