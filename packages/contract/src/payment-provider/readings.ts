import { deepEqual, equal } from "node:assert/strict";
import {
  at,
  disputeEvent,
  endedEvent,
  paidEvent,
  processingEvent,
  referenceOf,
  refundEvent,
} from "../payment-store/context.ts";
import type { Cases } from "../suite.ts";
import type { PaymentProviderContext } from "./context.ts";

/** The cases of genuine notifications. */
export const readingCases: Cases<PaymentProviderContext> = {
  "every notification says what happened": async (context) => {
    const payment = await context.begin();
    const receipt = { reference: referenceOf(payment), at: at(0), tax: 190n };
    const events = [
      processingEvent(payment),
      paidEvent(payment),
      paidEvent(payment, { receipt }),
      endedEvent(payment),
      endedEvent(payment, { reason: "failed" }),
      refundEvent(payment, { amount: 300n, seconds: 1 }),
      disputeEvent(payment, "opened", { amount: 1_000n, seconds: 2 }),
      disputeEvent(payment, "won", { amount: 1_000n, seconds: 3 }),
      disputeEvent(payment, "lost", { amount: 1_000n, seconds: 3 }),
    ];
    for (const event of events) {
      const read = await context.read(await context.sign(event));
      // A provider may add a message for the customer.
      const told =
        read.outcome === "event" && "message" in read.event ? { ...event, message: read.event.message } : event;
      deepEqual(read, { outcome: "event", event: told });
    }
  },
  "a payment for which the method is kept says which": async (context) => {
    const payment = await context.begin({ savesMethod: true });
    const method = { customer: "cus_1", method: "pm_1" };
    const event = paidEvent(payment, { method });
    deepEqual(await context.read(await context.sign(event)), { outcome: "event", event });
  },
  "a top-up is told as a checkout is": async (context) => {
    const payment = await context.begin({ kind: "top_up" });
    for (const event of [paidEvent(payment), endedEvent(payment, { reason: "failed" })]) {
      equal(await context.send(await context.sign(event)), 200);
    }
    equal(context.find(payment).state, "paid");
    context.expectPosted(payment, 1_100n);
  },
  "a payment of another gateway is ignored with 200": async (context) => {
    const payment = await context.begin();
    const notification = await context.sign(paidEvent(payment), "other_gateway");
    deepEqual(await context.read(notification), { outcome: "ignored" });
    equal(await context.send(notification), 200);
    context.expectPosted(payment, 0n);
  },
  "a genuine payment is credited": async (context) => {
    const payment = await context.begin();
    equal(await context.send(await context.sign(paidEvent(payment))), 200);
    context.expectPosted(payment, 1_100n);
  },
};
