import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import { at, endedEvent, type PaymentContext, paidEvent, processingEvent, product, referenceOf } from "./context.ts";

/** The cases of payments that are paid, and of those that are not. */
export const paidCases: Cases<PaymentContext> = {
  "a paid event credits what was written, as paid and as granted, once": async (context) => {
    const payment = await context.begin();
    const event = paidEvent(payment);
    equal(await context.apply(event), "applied");
    equal(await context.apply(event), "repeated");
    equal(await context.apply(paidEvent(payment)), "repeated");
    const reference = `payment:${referenceOf(payment)}`;
    const entries = await context.ledger.ledger();
    deepEqual(
      entries.map((entry) => [entry.kind, entry.amount, entry.reference]),
      [
        ["credit", 1_000n, reference],
        ["credit", 100n, `${reference}:bonus`],
      ],
    );
    deepEqual(
      entries.map(({ lots }) => lots?.map(({ kind }) => kind)),
      [undefined, ["granted"]],
    );
    await context.expectBalance(1_100n);
  },
  "a paid payment has its receipt and method, and is found by its reference": async (context) => {
    const payment = await context.begin();
    const receipt = {
      reference: referenceOf(payment),
      at: at(0),
      tax: 190n,
      invoiceUrl: "https://pay.example/invoice",
      receiptUrl: "https://pay.example/receipt",
    };
    const method = { customer: "cus_1", method: "pm_1" };
    equal(await context.apply(paidEvent(payment, { receipt, method })), "applied");
    const paid = await context.store.payments.find({ provider: "test", reference: receipt.reference });
    deepEqual(paid, { ...payment, state: "paid", receipt, method });
    equal(await context.store.payments.find({ provider: "other", reference: receipt.reference }), undefined);
    deepEqual(await context.store.payments.savedMethod(context.account), method);
    equal(await context.store.payments.savedMethod(`${context.account}-other`), undefined);
  },
  "a payment without a bonus is one credit": async (context) => {
    await context.paid({ product: { ...product, bonus: 0n } });
    equal((await context.ledger.ledger()).length, 1);
    await context.expectBalance(1_000n);
  },
  "another amount or currency is held, and credits nothing": async (context) => {
    for (const paid of [
      { amount: 999n, currency: "USD" },
      { amount: 1_000n, currency: "EUR" },
    ]) {
      const payment = await context.begin();
      const event = paidEvent(payment, { paid });
      equal(await context.apply(event), "applied");
      equal(await context.apply(event), "repeated");
      equal(await context.apply(paidEvent(payment)), "repeated");
      const held = await context.find(payment.id);
      equal(held.state, "held");
      equal(held.problem === undefined, false);
    }
    await context.expectBalance(0n);
  },
  "an event of another mode or provider changes nothing": async (context) => {
    const payment = await context.begin();
    equal(await context.apply(paidEvent(payment, { live: true })), "mismatch");
    equal(await context.apply(paidEvent(payment, { provider: "other" })), "mismatch");
    deepEqual(await context.find(payment.id), payment);
    const waiting = await context.store.payments.waitingEvents({ limit: 10_000 });
    deepEqual(
      waiting.filter(({ event }) => "payment" in event && event.payment === payment.id),
      [],
    );
    await context.expectBalance(0n);
  },
  "a reference that was credited by somebody else is held": async (context) => {
    const payment = await context.begin();
    const id = `payment:${referenceOf(payment)}`;
    await context.store.balances.credit({ id, account: context.account, amount: 7n, reason: "by hand" });
    equal(await context.apply(paidEvent(payment)), "applied");
    const { state, receipt } = await context.find(payment.id);
    deepEqual([state, receipt], ["held", undefined]);
    await context.expectBalance(7n);
  },
  "a payment that is paid a second time is credited once, and asks for a person": async (context) => {
    const payment = await context.paid();
    const receipt = { reference: `${referenceOf(payment)}_2`, at: at(0), tax: 0n };
    equal(await context.apply(paidEvent(payment, { receipt })), "applied");
    const again = await context.find(payment.id);
    deepEqual([again.state, again.receipt?.reference], ["paid", referenceOf(payment)]);
    equal(again.problem === undefined, false);
    deepEqual(await context.store.payments.resolve(payment.id), again);
    const { problem: _, ...resolved } = again;
    deepEqual(await context.find(payment.id), resolved);
    deepEqual(await context.store.payments.resolve(payment.id), resolved);
    equal(await context.store.payments.resolve(`${payment.id}-other`), undefined);
    await context.expectBalance(1_100n);
  },
  "a payment that has ended can still be paid, and one that is paid does not end": async (context) => {
    const payment = await context.begin();
    equal(await context.apply(endedEvent(payment)), "applied");
    equal((await context.find(payment.id)).state, "ended");
    equal(await context.apply(paidEvent(payment)), "applied");
    equal(await context.apply(endedEvent(payment, { reason: "failed" })), "repeated");
    equal(await context.apply(processingEvent(payment)), "repeated");
    equal((await context.find(payment.id)).state, "paid");
    await context.expectBalance(1_100n);
  },
  "a payment that takes days ends when it fails, and not when its page expires": async (context) => {
    const payment = await context.begin();
    equal(await context.apply(processingEvent(payment)), "applied");
    equal(await context.apply(endedEvent(payment)), "repeated");
    equal((await context.find(payment.id)).state, "processing");
    equal(await context.apply(endedEvent(payment, { reason: "failed" })), "applied");
    equal(await context.apply(processingEvent(payment)), "repeated");
    equal((await context.find(payment.id)).state, "ended");
    await context.expectBalance(0n);
  },
};
