import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { belowZero, disputeEvent, type PaymentContext, paidEvent, product, refundEvent } from "./context.ts";

/** The cases of concurrent calls. */
export const raceCases: Cases<PaymentContext> = {
  "100 parallel paid events of one payment credit it once": async (context) => {
    const payment = await context.begin();
    const event = paidEvent(payment);
    const results = await callConcurrently(context, 100, (client, index) =>
      client.payments.apply(index % 3 === 0 ? event : paidEvent(payment), belowZero),
    );
    deepEqual(tally(results), { applied: 1, repeated: 99 });
    await context.expectBalance(1_100n);
  },
  "a parallel begin never exceeds maxOpen": async (context) => {
    const results = await callConcurrently(context, 40, (client, index) => {
      const price = { amount: BigInt(index) + 100n, currency: "USD" };
      return client.payments.begin(context.newPayment({ product: { ...product, price } }), { maxOpen: 5 });
    });
    deepEqual(tally(results), { begun: 5, too_many: 35 });
  },
  "a parallel begin of the same purchase makes one payment": async (context) => {
    const results = await callConcurrently(context, 20, (client) =>
      client.payments.begin(context.newPayment(), { maxOpen: 5 }),
    );
    deepEqual(tally(results), { begun: 1, reused: 19 });
    equal(new Set(results.map((result) => "payment" in result && result.payment.id)).size, 1);
  },
  "a parallel begin of the same id makes one payment": async (context) => {
    const wanted = context.newPayment({ kind: "top_up" });
    const results = await callConcurrently(context, 20, (client) => client.payments.begin(wanted, { maxOpen: 5 }));
    deepEqual(tally(results), { begun: 1, reused: 19 });
  },
  "refunds and disputes in parallel with the payment take no more than was credited": async (context) => {
    const payment = await context.begin();
    const events = [
      paidEvent(payment),
      refundEvent(payment, { amount: 600n, seconds: 1 }),
      refundEvent(payment, { amount: 700n, seconds: 2 }),
      disputeEvent(payment, "opened", { amount: 1_000n, seconds: 3 }),
      disputeEvent(payment, "won", { amount: 1_000n, seconds: 4 }),
    ];
    await callConcurrently(context, 50, async (client, index) => {
      const event = events[index % events.length];
      return event && client.payments.apply(event, belowZero);
    });
    for (const event of events) equal(await context.apply(event), "repeated");
    await context.expectBalance(330n);
  },
  "payments of many accounts in parallel are each credited once": async (context) => {
    const accounts = Array.from({ length: 8 }, (_, index) => `${context.account}-${index}`);
    const payments = await Promise.all(accounts.map((account) => context.begin({ account })));
    await callConcurrently(context, 64, async (client, index) => {
      const payment = payments[index % payments.length];
      return payment && client.payments.apply(paidEvent(payment), belowZero);
    });
    for (const account of accounts) equal((await context.store.balances.balance(account)).posted, 1_100n);
  },
};
