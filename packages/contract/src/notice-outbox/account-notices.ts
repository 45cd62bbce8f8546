import { deepEqual, equal } from "node:assert/strict";
import type { Credit, Notice } from "@tollgate/core/store";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { claimAll, type NoticeContext } from "./context.ts";

const day = 86_400_000;

/** The cases of notices that are written while somebody reads them. */
export const accountNoticeCases: Cases<NoticeContext> = {
  "a credit writes one notice, and a repeated one, a conflict and a debit none": async (context) => {
    const { store, account } = await read(context);
    const paid: Credit = { id: crypto.randomUUID(), account, amount: 100n, reason: "top-up" };
    const expiresAt = new Date(Date.now() + 30 * day);
    const granted: Credit = { ...paid, id: crypto.randomUUID(), amount: 7n, kind: "granted", expiresAt };
    for (const credit of [paid, granted, paid, granted, { ...paid, amount: 99n }]) await store.credit(credit);
    await store.debit({ id: crypto.randomUUID(), account, amount: 1n, reason: "correction" });
    const [first, ...others] = await claimAll(context);
    const common = { id: first?.id, account, at: first?.at, attempts: 0, delivered: [] };
    deepEqual(first, { ...common, type: "balance.credited", amount: 100n, kind: "paid", reason: "top-up" });
    deepEqual(others.map(aboutOf), [
      { type: "balance.credited", amount: 7n, kind: "granted", reason: "top-up", expiresAt },
    ]);
    equal(Math.abs(Date.now() - Number(first?.at)) < 60_000, true);
  },
  "a refund writes one notice, and a repeated one and a conflict none": async (context) => {
    const { store, account } = await read(context);
    const { sequence } = await context.charge(30n);
    const refund = { account, sequence, amount: 20n, reason: "poor answer" };
    await store.refund(refund);
    await store.refund(refund);
    equal((await store.refund({ ...refund, amount: 21n })).outcome, "conflict");
    equal((await store.refund({ ...refund, sequence: sequence + 1_000_000n })).outcome, "unknown");
    deepEqual(await told(context), [{ type: "charge.refunded", amount: 20n, sequence, reason: "poor answer" }]);
  },
  "a freeze and a thaw write one notice each, and repeated ones none": async (context) => {
    const { store, account } = await read(context);
    await store.thaw(account);
    await store.freeze(account, "dispute 17");
    await store.freeze(account, "dispute 18");
    deepEqual(await told(context), [{ type: "account.frozen", reason: "dispute 17" }]);
    await store.thaw(account);
    await store.thaw(account);
    deepEqual(await told(context), [{ type: "account.thawed" }]);
    await context.credit(5n);
    await store.freeze(account, "dispute 19");
    deepEqual((await told(context)).slice(1), [{ type: "account.frozen", reason: "dispute 19" }]);
  },
  "a lot writes one notice with what is left of it, once it expires within 7 days": async (context) => {
    const { store } = await read(context);
    const expiresAt = new Date(Date.now() + 7 * day);
    await context.lot(50n, { expiresAt });
    await context.lot(60n, { expiresAt: new Date(Number(expiresAt) + 60_000) });
    await context.lot(70n);
    await context.charge(20n);
    await told(context);
    await store.expire();
    deepEqual(await told(context), [{ type: "balance.expiring", amount: 30n, expiresAt }]);
    await context.charge(1n);
    await store.expire();
    deepEqual(await told(context), []);
  },
  "a lot that is used up writes its notice only if a refund fills it again": async (context) => {
    const { store, account } = await read(context);
    const expiresAt = new Date(Date.now() + day);
    await context.lot(50n, { expiresAt });
    const { sequence } = await context.charge(50n);
    await store.expire();
    deepEqual((await told(context)).slice(1), []);
    await store.refund({ account, sequence, amount: 20n, reason: "poor answer" });
    await store.expire();
    deepEqual((await told(context)).slice(1), [{ type: "balance.expiring", amount: 20n, expiresAt }]);
  },
  "an allowance of a day writes no notice of its grant and its expiry": async (context) => {
    const { store, account } = await read(context);
    const { sequence } = await context.charge(30n, { allowance: { amount: 30n, window: "day" } });
    deepEqual(await told(context), []);
    await store.refund({ account, sequence, reason: "poor answer" });
    await store.expire();
    deepEqual(typesOf(await claimAll(context)), ["charge.refunded"]);
  },
  "parallel calls of one credit, one freeze and the sweep write one notice each": async (context) => {
    const { account } = await read(context);
    const expiresAt = new Date(Date.now() + day);
    const credit: Credit = { id: crypto.randomUUID(), account, amount: 100n, reason: "top-up", expiresAt };
    await callConcurrently(context, 10, (client) => client.credit(credit));
    await callConcurrently(context, 10, (client) => client.freeze(account, "dispute 17"));
    await callConcurrently(context, 10, (client) => client.expire());
    deepEqual(typesOf(await claimAll(context)).sort(), ["account.frozen", "balance.credited", "balance.expiring"]);
  },
};

/** Claims what is there, so that the store knows that somebody reads. */
async function read(context: NoticeContext): Promise<NoticeContext> {
  await claimAll(context);
  return context;
}

/** Claims the due notices of the account, and returns what they tell. */
async function told(context: NoticeContext): Promise<readonly object[]> {
  return (await claimAll(context)).map(aboutOf);
}

function aboutOf({
  id: _id,
  account: _account,
  at: _at,
  attempts: _attempts,
  delivered: _delivered,
  ...about
}: Notice) {
  return about;
}

const typesOf = (notices: readonly Notice[]): string[] => notices.map(({ type }) => type);
