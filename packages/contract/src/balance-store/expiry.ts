import { deepEqual, equal, rejects } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import type { BalanceContext } from "./context.ts";
import { expiredHold } from "./expired-hold.ts";

const short = { leaseMs: 20 };

/** The cases of `renew`, `expire`, and settlements after an expiry. */
export const expiryCases: Cases<BalanceContext> = {
  "an unused hold expires without an entry": async ({ credit, held, store, ...rest }) => {
    await credit(100n);
    await store.expire();
    await held(50n, short);
    await rest.wait(40);
    equal(await store.expire(), 1);
    equal(await store.expire(), 0);
    await rest.expectBalance(100n, 0n);
    equal((await rest.ledger()).length, 1);
  },
  "an expiry charges the last reported use and releases the rest": async (context) => {
    const id = await expired(context, 50n, 30n);
    await context.expectBalance(70n, 0n);
    const entry = (await context.ledger()).at(-1);
    deepEqual([entry?.kind, entry?.amount, entry?.reference], ["expiry", -30n, id]);
  },
  "a hold with a valid lease does not expire": async ({ credit, held, store, wait, expectBalance }) => {
    await credit(100n);
    await held(50n, short);
    await held(25n);
    await wait(40);
    await store.expire();
    await expectBalance(100n, 25n);
  },
  "a renewal extends the lease": async ({ account, credit, held, store, wait, settle, expectBalance }) => {
    await credit(100n);
    const id = await held(50n, { leaseMs: 500 });
    deepEqual([...(await store.renew([{ id, account, used: 10n }], 60_000))], [id]);
    await wait(550);
    await store.expire();
    await expectBalance(100n, 50n);
    equal(await settle(id, 20n), "ended");
  },
  "a renewal can shorten the lease": async ({ account, credit, held, store, wait, expectBalance }) => {
    await credit(100n);
    const id = await held(50n);
    await store.renew([{ id, account, used: 0n }], 20);
    await wait(40);
    await store.expire();
    await expectBalance(100n, 0n);
  },
  "the largest reported use counts": async ({ account, credit, held, store, wait, expectBalance }) => {
    await credit(100n);
    const id = await held(50n);
    for (const used of [10n, 30n, 20n]) await store.renew([{ id, account, used }], 20);
    await wait(40);
    await store.expire();
    await expectBalance(70n, 0n);
  },
  "an expiry charges use above the amount of the hold": async (context) => {
    await expired(context, 50n, 120n);
    await context.expectBalance(-20n, 0n);
    equal((await context.hold(0n)).outcome, "insufficient");
  },
  "a renewal returns exactly the ids of pending holds": async (context) => {
    await context.credit(100n);
    const [running, settled, released] = [await context.held(1n), await context.held(1n), await context.held(1n)];
    await context.settle(settled, 1n);
    await context.release(released);
    const ids = [running, settled, released, crypto.randomUUID()];
    const renewals = ids.map((id) => ({ id, account: context.account, used: 0n }));
    deepEqual([...(await context.store.renew(renewals, 60_000))], [running]);
    deepEqual([...(await context.store.renew([], 60_000))], []);
  },
  "one renewal serves a hundred holds of two accounts": async ({ credit, held, store, account }) => {
    await credit(1_000n);
    const other = `${account}-other`;
    await store.credit({ id: crypto.randomUUID(), account: other, amount: 1_000n, reason: "top-up" });
    const renewals = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const payer = at % 2 === 0 ? account : other;
        return { id: await held(1n, { account: payer }), account: payer, used: 1n };
      }),
    );
    const renewed = await store.renew(renewals, 60_000);
    deepEqual([...renewed].sort(), renewals.map(({ id }) => id).sort());
  },
  "a negative use throws": async ({ account, credit, held, store }) => {
    await credit(100n);
    const id = await held(50n);
    await rejects(async () => store.renew([{ id, account, used: -1n }], 60_000));
  },
  "an expired hold cannot be renewed": async (context) => {
    const id = await expired(context, 50n, 30n);
    deepEqual([...(await context.store.renew([{ id, account: context.account, used: 40n }], 60_000))], []);
    await context.expectBalance(70n, 0n);
  },
  "a late settlement charges only the difference": async (context) => {
    const id = await expired(context, 50n, 30n);
    equal(await context.settle(id, 45n), "late");
    await context.expectBalance(55n, 0n);
    const entry = (await context.ledger()).at(-1);
    deepEqual([entry?.kind, entry?.amount, entry?.reference], ["late", -15n, id]);
  },
  "a late settlement below the expiry's charge refunds the difference": async (context) => {
    const id = await expired(context, 50n, 30n);
    equal(await context.settle(id, 10n), "late");
    await context.expectBalance(90n, 0n);
  },
  "a late settlement of the same amount adds no entry": async (context) => {
    const id = await expired(context, 50n, 30n);
    const before = (await context.ledger()).length;
    equal(await context.settle(id, 30n), "late");
    equal((await context.ledger()).length, before);
  },
  "a late settlement takes effect once": async (context) => {
    const id = await expired(context, 50n, 30n);
    await context.settle(id, 45n);
    equal(await context.settle(id, 45n), "repeated");
    equal(await context.settle(id, 30n), "conflict");
    await context.expectBalance(55n, 0n);
  },
  "releasing an expired hold is a conflict and has no effect": async (context) => {
    const id = await expired(context, 50n, 30n);
    equal(await context.release(id), "conflict");
    await context.expectBalance(70n, 0n);
  },
  "concurrent sweeps expire each hold once": async (context) => {
    await context.credit(1_000n);
    await context.store.expire();
    const ids = await Promise.all(Array.from({ length: 30 }, () => context.held(10n)));
    await context.store.renew(
      ids.map((id) => ({ id, account: context.account, used: 4n })),
      20,
    );
    await context.wait(40);
    const counts = await callConcurrently(context, 10, (client) => client.expire());
    const missed = await context.store.expire();
    equal(
      counts.reduce((sum, count) => sum + count, missed),
      30,
    );
    await context.expectBalance(880n, 0n);
  },
};

/** Credits 100 and returns the id of a hold that has expired after it reported its use. */
async function expired(context: BalanceContext, amount: bigint, used: bigint): Promise<string> {
  await context.credit(100n);
  return expiredHold(context, amount, used);
}
