import { deepEqual, equal } from "node:assert/strict";
import type { DueTopUp, NewTopUp } from "@tollgate/payments";
import type { Cases } from "../suite.ts";
import { endedEvent, type PaymentContext, paidEvent, processingEvent } from "./context.ts";

/** The cases of automatic top-ups. */
export const topUpCases: Cases<PaymentContext> = {
  "a top-up is read as it was set, replaced, and removed": async (context) => {
    const { payments } = context.store;
    equal(await payments.topUp(context.account), undefined);
    const first = newTopUp(context);
    await payments.setTopUp(first);
    await payments.setTopUp(first);
    deepEqual(await payments.topUp(context.account), first);
    const second = newTopUp(context, { below: 7n, maxPerDay: 1 });
    await payments.setTopUp(second);
    deepEqual(await payments.topUp(context.account), second);
    await payments.removeTopUp(context.account);
    await payments.removeTopUp(context.account);
    equal(await payments.topUp(context.account), undefined);
  },
  "a top-up is due while the posted balance is below its amount": async (context) => {
    const topUp = newTopUp(context, { below: 500n });
    await context.store.payments.setTopUp(topUp);
    deepEqual(await dueOf(context), topUp);
    await context.ledger.credit(500n);
    equal(await dueOf(context), undefined);
    await context.ledger.charge(1n);
    deepEqual(await dueOf(context), topUp);
    await context.store.payments.removeTopUp(context.account);
    equal(await dueOf(context), undefined);
  },
  "a top-up is due with a pending payment, and not with one in progress": async (context) => {
    const topUp = newTopUp(context);
    await context.store.payments.setTopUp(topUp);
    const payment = await context.begin({ kind: "top_up" });
    deepEqual(await dueOf(context), topUp);
    await context.apply(processingEvent(payment));
    equal(await dueOf(context), undefined);
    await context.apply(paidEvent(payment));
    await context.ledger.charge(1_100n);
    deepEqual(await dueOf(context), { ...topUp, last: payment.id });
  },
  "those that are due are read in parts, each once": async (context) => {
    const accounts = [1, 2, 3].map((part) => `${context.account}-${part}`);
    for (const account of accounts) await context.store.payments.setTopUp(newTopUp({ ...context, account }));
    const found: string[] = [];
    let after: string | undefined;
    do {
      const query = after === undefined ? { limit: 2 } : { limit: 2, after };
      const due = await context.store.payments.dueTopUps(query);
      found.push(...due.map(({ account }) => account).filter((account) => accounts.includes(account)));
      after = due.length === 2 ? due.at(-1)?.account : undefined;
    } while (after !== undefined);
    deepEqual(found.sort(), accounts);
  },
  "a checkout does not keep an account from being topped up": async (context) => {
    const topUp = newTopUp(context);
    await context.store.payments.setTopUp(topUp);
    await context.apply(processingEvent(await context.begin()));
    deepEqual(await dueOf(context), topUp);
  },
  "a top-up is due at most as often as its maximum of the day": async (context) => {
    await context.store.payments.setTopUp(newTopUp(context, { maxPerDay: 2 }));
    for (let count = 0; count < 2; count++) {
      equal((await dueOf(context)) === undefined, false);
      await context.paid({ kind: "top_up" });
      await context.ledger.charge(1_100n);
    }
    equal(await dueOf(context), undefined);
  },
  "a charge that fails stops the top-up until the customer changes it": async (context) => {
    const topUp = newTopUp(context);
    await context.store.payments.setTopUp(topUp);
    const payment = await context.begin({ kind: "top_up" });
    const failed = endedEvent(payment, { reason: "failed", message: "The card was declined." });
    equal(await context.apply(failed), "applied");
    equal(await dueOf(context), undefined);
    equal((await context.store.payments.topUp(context.account))?.stopped?.reason, "The card was declined.");
    const changed = newTopUp(context);
    await context.store.payments.setTopUp(changed);
    equal(await context.apply(failed), "repeated");
    deepEqual(await context.store.payments.topUp(context.account), changed);
    deepEqual(await dueOf(context), { ...changed, last: payment.id });
  },
  "a checkout that fails stops no top-up": async (context) => {
    const topUp = newTopUp(context);
    await context.store.payments.setTopUp(topUp);
    await context.apply(endedEvent(await context.begin(), { reason: "failed" }));
    deepEqual(await context.store.payments.topUp(context.account), topUp);
  },
};

function newTopUp({ account }: PaymentContext, overrides: Partial<NewTopUp> = {}): NewTopUp {
  const method = { customer: "cus_1", method: "pm_1" };
  return { id: crypto.randomUUID(), account, product: "small", below: 100n, maxPerDay: 3, method, ...overrides };
}

/** Returns the top-up of the account if it is due. Other cases may have left some. */
async function dueOf({ store, account }: PaymentContext): Promise<DueTopUp | undefined> {
  const due = await store.payments.dueTopUps({ limit: 10_000 });
  return due.find((topUp) => topUp.account === account);
}
