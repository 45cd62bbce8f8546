import { deepEqual, equal } from "node:assert/strict";
import type { Payment } from "@tollgate/payments";
import type { Cases } from "../suite.ts";
import { at, type PaymentContext, paidEvent, referenceOf, refundEvent } from "./context.ts";

/** The cases of forgetting an account. */
export const forgettingCases: Cases<PaymentContext> = {
  "forgetting removes pages, methods and the top-up, and keeps amounts, times and the reference": async (context) => {
    const { payments } = context.store;
    const before = await paidWithPages(context);
    await payments.setTopUp({ ...topUp, account: context.account });
    equal(await payments.forget(context.account), 2);
    const { checkout: _, method: __, receipt, ...rest } = before;
    const kept = { reference: referenceOf(before), at: receipt?.at ?? at(0), tax: 7n };
    deepEqual(await context.find(before.id), { ...rest, receipt: kept });
    deepEqual(
      [await payments.savedMethod(context.account), await payments.topUp(context.account)],
      [undefined, undefined],
    );
    equal(await payments.forget(context.account), 0);
  },
  "a forgotten payment is refunded as before": async (context) => {
    const payment = await paidWithPages(context);
    await context.store.payments.forget(context.account);
    equal(await context.apply(refundEvent(payment, { amount: 1_007n, seconds: 1, tax: 7n })), "applied");
    await context.expectBalance(0n);
  },
  "a checkout that is paid after its account was forgotten is credited": async (context) => {
    const payment = await context.begin();
    await context.store.payments.open(payment.id, page);
    equal(await context.store.payments.forget(context.account), 1);
    equal(await context.apply(paidEvent(payment)), "applied");
    await context.expectBalance(1_100n);
  },
  "forgetting changes nothing of another account": async (context) => {
    const payment = await paidWithPages(context);
    await context.store.payments.setTopUp({ ...topUp, account: context.account });
    equal(await context.store.payments.forget(`${context.account}-other`), 0);
    deepEqual(await context.find(payment.id), payment);
    equal((await context.store.payments.topUp(context.account))?.id, topUp.id);
  },
};

const page = { reference: "page_1", url: "https://pay.example/page_1", expiresAt: new Date("2100-01-01T00:00:00Z") };
const method = { customer: "customer_1", method: "method_1" };
const topUp = { id: crypto.randomUUID(), product: "small", below: 5n, maxPerDay: 1, method };

/** A payment with everything that is forgotten. */
async function paidWithPages(context: PaymentContext): Promise<Payment> {
  const payment = await context.begin({ savesMethod: true });
  await context.store.payments.open(payment.id, page);
  const pages = { invoiceUrl: "https://pay.example/invoice", receiptUrl: "https://pay.example/receipt" };
  const receipt = { reference: referenceOf(payment), at: at(0), tax: 7n, ...pages };
  equal(await context.apply(paidEvent(payment, { receipt, method })), "applied");
  return context.find(payment.id);
}
