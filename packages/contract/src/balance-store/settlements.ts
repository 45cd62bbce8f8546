import { deepEqual, equal, rejects } from "node:assert/strict";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { type BalanceContext, chargeReceipt } from "./context.ts";

/** The cases of `settle`. */
export const settlementCases: Cases<BalanceContext> = {
  "a settlement charges the cost and releases the hold": async ({ credit, held, settle, expectBalance, ledger }) => {
    await credit(100n);
    const id = await held(50n);
    equal(await settle(id, 20n), "ended");
    await expectBalance(80n, 0n);
    const charge = (await ledger()).at(-1);
    deepEqual([charge?.kind, charge?.amount, charge?.reference], ["charge", -20n, id]);
  },
  "a settlement of zero adds no entry": async ({ credit, held, settle, expectBalance, ledger }) => {
    await credit(100n);
    equal(await settle(await held(50n), 0n), "ended");
    await expectBalance(100n, 0n);
    equal((await ledger()).length, 1);
  },
  "a cost above the hold is charged in full, and the next hold is refused": async (context) => {
    await context.credit(100n);
    equal(await context.settle(await context.held(100n), 130n), "ended");
    await context.expectBalance(-30n, 0n);
    equal((await context.hold(0n)).outcome, "insufficient");
    equal((await context.hold(1n)).outcome, "insufficient");
  },
  "a repeated settlement charges once": async ({ credit, held, settle, expectBalance }) => {
    await credit(100n);
    const id = await held(50n);
    await settle(id, 20n);
    equal(await settle(id, 20n), "repeated");
    await expectBalance(80n, 0n);
  },
  "a second settlement with another amount is a conflict and has no effect": async (context) => {
    await context.credit(100n);
    const id = await context.held(50n);
    await context.settle(id, 20n);
    equal(await context.settle(id, 21n), "conflict");
    await context.expectBalance(80n, 0n);
  },
  "settling a released hold is a conflict and has no effect": async ({ credit, held, settle, ...rest }) => {
    await credit(100n);
    const id = await held(50n);
    await rest.release(id);
    equal(await settle(id, 20n), "conflict");
    equal(await settle(id, 0n), "conflict");
    await rest.expectBalance(100n, 0n);
  },
  "settling an unknown hold returns unknown": async ({ credit, settle, expectBalance }) => {
    await credit(100n);
    equal(await settle(crypto.randomUUID(), 20n), "unknown");
    await expectBalance(100n, 0n);
  },
  "a hold of another account is unknown, and is not renewed": async ({
    credit,
    held,
    store,
    account,
    expectBalance,
  }) => {
    await credit(100n);
    const id = await held(50n);
    const other = { id, account: `${account}-other` };
    deepEqual([...(await store.renew([{ ...other, used: 10n }], 60_000))], []);
    equal((await store.settle(other, 20n, chargeReceipt())).outcome, "unknown");
    equal((await store.release(other)).outcome, "unknown");
    await expectBalance(100n, 50n);
  },
  "settling one hold does not affect others": async ({ credit, held, settle, expectBalance }) => {
    await credit(100n);
    const first = await held(10n);
    await held(25n);
    await settle(first, 4n);
    await expectBalance(96n, 25n);
  },
  "a negative cost throws and has no effect": async ({ account, credit, held, store, expectBalance }) => {
    await credit(100n);
    const id = await held(50n);
    await rejects(async () => store.settle({ id, account }, -1n, chargeReceipt()));
    await expectBalance(100n, 50n);
  },
  "100 parallel settlements of one hold charge once": async (context) => {
    await context.credit(1_000n);
    const id = await context.held(100n);
    const results = await callConcurrently(context, 100, (client) =>
      client.settle({ id, account: context.account }, 70n, chargeReceipt()),
    );
    deepEqual(tally(results), { ended: 1, repeated: 99 });
    await context.expectBalance(930n, 0n);
  },
  "of parallel settlements with different amounts, one is charged": async (context) => {
    await context.credit(1_000n);
    const id = await context.held(100n);
    const results = await callConcurrently(context, 20, (client, at) =>
      client.settle({ id, account: context.account }, BigInt(at + 1), chargeReceipt()),
    );
    deepEqual(tally(results), { ended: 1, conflict: 19 });
    const winner = results.findIndex(({ outcome }) => outcome === "ended");
    await context.expectBalance(1_000n - BigInt(winner + 1), 0n);
  },
};

/** The cases of `release`. */
export const releaseCases: Cases<BalanceContext> = {
  "a release ends the hold without a charge": async ({ credit, held, release, expectBalance, ledger }) => {
    await credit(100n);
    equal(await release(await held(50n)), "ended");
    await expectBalance(100n, 0n);
    equal((await ledger()).length, 1);
  },
  "a repeated release takes effect once": async ({ credit, held, release, expectBalance }) => {
    await credit(100n);
    const id = await held(50n);
    await held(20n);
    await release(id);
    equal(await release(id), "repeated");
    await expectBalance(100n, 20n);
  },
  "releasing a settled hold is a conflict and has no effect": async ({ credit, held, settle, release, ...rest }) => {
    await credit(100n);
    const id = await held(50n);
    await held(20n);
    await settle(id, 10n);
    equal(await release(id), "conflict");
    await rest.expectBalance(90n, 20n);
  },
  "releasing an unknown hold returns unknown": async ({ release, expectBalance }) => {
    equal(await release(crypto.randomUUID()), "unknown");
    await expectBalance(0n, 0n);
  },
  "a released amount can be held again": async ({ credit, held, release, expectBalance }) => {
    await credit(50n);
    await release(await held(50n));
    await held(50n);
    await expectBalance(50n, 50n);
  },
};
