import { deepEqual, equal } from "node:assert/strict";
import type { PaymentEvent } from "@tollgate/payments";
import type { Cases } from "../suite.ts";
import { disputeEvent, limits, type PaymentContext, paidEvent, refundEvent } from "./context.ts";

/** The cases of events that come before their payment is known, or before an event that happened earlier. */
export const disorderCases: Cases<PaymentContext> = {
  "a refund and a dispute wait for the payment, and are applied after it": async (context) => {
    const payment = await context.begin();
    const refund = refundEvent(payment, { amount: 500n, seconds: 1 });
    const dispute = disputeEvent(payment, "opened", { amount: 100n, seconds: 2 });
    for (const event of [dispute, refund, refund]) equal(await context.apply(event), "waiting");
    await context.expectBalance(0n);
    deepEqual(await waitingOf(context, [refund, dispute]), [dispute, refund]);
    const result = await context.store.payments.apply(paidEvent(payment), { refundsBelowZero: true });
    equal(result.outcome, "applied");
    deepEqual("payment" in result && result.payment, await context.find(payment.id));
    await context.expectBalance(440n);
    deepEqual(await waitingOf(context, [refund, dispute]), []);
    equal(await context.apply(refund), "repeated");
    await context.expectBalance(440n);
  },
  "an event of a payment that is not known waits as it came, and is applied with the next one": async (context) => {
    const payment = context.newPayment();
    const method = { customer: "cus_1", method: "pm_1" };
    const paid = paidEvent(payment, { method });
    equal(await context.apply(paid), "waiting");
    deepEqual(await waitingOf(context, [paid]), [paid]);
    await context.store.payments.begin(payment, limits);
    await context.expectBalance(0n);
    equal(await context.apply(paid), "applied");
    await context.expectBalance(1_100n);
    deepEqual(await waitingOf(context, [paid]), []);
  },
  "an event of another payment keeps waiting": async (context) => {
    const [first, second] = [await context.begin(), context.newPayment()];
    const refund = refundEvent(second, { amount: 500n, seconds: 1 });
    equal(await context.apply(refund), "waiting");
    equal(await context.apply(paidEvent(first)), "applied");
    deepEqual(await waitingOf(context, [refund]), [refund]);
    await context.expectBalance(1_100n);
  },
  "of refunds the newest total counts, in whatever order they come": async (context) => {
    const payment = await context.paid();
    equal(await context.apply(refundEvent(payment, { amount: 800n, seconds: 2 })), "applied");
    equal(await context.apply(refundEvent(payment, { amount: 300n, seconds: 1 })), "repeated");
    await context.expectBalance(220n);
  },
  "a dispute that was decided does not open again": async (context) => {
    const payment = await context.paid();
    equal(await context.apply(disputeEvent(payment, "won", { amount: 1_000n, seconds: 2 })), "applied");
    equal(await context.apply(disputeEvent(payment, "opened", { amount: 1_000n, seconds: 1 })), "repeated");
    await context.expectBalance(1_100n);
    equal(
      await context.apply(disputeEvent(payment, "lost", { amount: 1_000n, seconds: 2, dispute: "dp_2" })),
      "applied",
    );
    equal(
      await context.apply(disputeEvent(payment, "opened", { amount: 1_000n, seconds: 2, dispute: "dp_2" })),
      "repeated",
    );
    await context.expectBalance(0n);
  },
};

/** Returns those of the events that wait, in the order in which they came. Other cases may have left some. */
async function waitingOf({ store }: PaymentContext, events: readonly PaymentEvent[]): Promise<readonly PaymentEvent[]> {
  const ids = new Set(events.map(({ id }) => id));
  const waiting = await store.payments.waitingEvents({ limit: 10_000 });
  for (const { since } of waiting) equal(Number.isNaN(since.getTime()), false);
  return waiting.map(({ event }) => event).filter(({ id }) => ids.has(id));
}
