import { deepEqual, equal } from "node:assert/strict";
import { memoryBalanceStore } from "@tollgate/core";
import { memoryPaymentStore } from "@tollgate/payments";
import { disputeEvent, endedEvent, paidEvent, processingEvent, refundEvent } from "../payment-store/context.ts";
import type { Cases } from "../suite.ts";
import type { PaymentProviderContext } from "./context.ts";

/** The cases of notifications that come twice, at once, or in another order. */
export const replayCases: Cases<PaymentProviderContext> = {
  "a notification that is sent again has no further effect": async (context) => {
    const payment = await context.begin();
    const notification = await context.sign(paidEvent(payment));
    for (let count = 0; count < 3; count++) equal(await context.send(notification), 200);
    context.expectPosted(payment, 1_100n);
  },
  "notifications at once, at two endpoints over one store, credit once": async (context) => {
    const payment = await context.begin();
    const notifications = [await context.sign(paidEvent(payment)), await context.sign(paidEvent(payment))];
    const sent = Array.from({ length: 20 }, (_, index) => context.send(notifications[index % 2] ?? unreachable()));
    deepEqual(new Set(await Promise.all(sent)), new Set([200]));
    context.expectPosted(payment, 1_100n);
  },
  "any order of the notifications of a payment comes to the same balance": async (context) => {
    for (const order of orders) {
      const payment = await context.begin();
      const events = [
        processingEvent(payment),
        paidEvent(payment),
        refundEvent(payment, { amount: 300n, seconds: 1 }),
        disputeEvent(payment, "opened", { amount: 500n, seconds: 2 }),
        disputeEvent(payment, "won", { amount: 500n, seconds: 3 }),
      ];
      for (const index of [...order, ...order]) {
        equal(await context.send(await context.sign(events[index] ?? unreachable())), 200);
      }
      equal(context.find(payment).state, "paid");
      context.expectPosted(payment, 770n);
    }
  },
  "a payment that comes after its page has expired is credited": async (context) => {
    const payment = await context.begin();
    equal(await context.send(await context.sign(endedEvent(payment))), 200);
    equal(await context.send(await context.sign(paidEvent(payment))), 200);
    context.expectPosted(payment, 1_100n);
  },
  "a notification of a payment that is not known is kept, and gets 200": async (context) => {
    const payment = await context.begin();
    const empty = memoryPaymentStore({ balances: memoryBalanceStore() });
    equal(await context.send(await context.sign(paidEvent(payment)), empty), 200);
    equal(empty.waitingEvents({ limit: 10 }).length, 1);
  },
};

const orders: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4],
  [4, 3, 2, 1, 0],
  [2, 3, 4, 1, 0],
  [1, 3, 2, 4, 0],
];

const unreachable = (): never => {
  throw new Error("The index must be that of an item.");
};
