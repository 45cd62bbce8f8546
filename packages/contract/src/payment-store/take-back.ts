import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import { disputeEvent, type PaymentContext, paidEvent, product, referenceOf, refundEvent } from "./context.ts";

const atZero = { refundsBelowZero: false };

/** The cases of refunds and disputes. Events of disputes have USD 10.00 as what was charged, so their payments have no tax. */
export const takeBackCases: Cases<PaymentContext> = {
  "refunds take back the same share of credit and bonus, less what was taken before": async (context) => {
    const payment = await context.paid();
    equal(await context.apply(refundEvent(payment, { amount: 333n, seconds: 1 })), "applied");
    await context.expectBalance(1_100n - 333n - 33n);
    const half = refundEvent(payment, { amount: 500n, seconds: 2 });
    equal(await context.apply(half), "applied");
    equal(await context.apply(half), "repeated");
    await context.expectBalance(550n);
    equal(await context.apply(refundEvent(payment, { amount: 1_000n, seconds: 3 })), "applied");
    await context.expectBalance(0n);
    const { refunded, takenBack } = await context.find(payment.id);
    deepEqual([refunded, takenBack], [1_000n, { credit: 1_000n, bonus: 100n }]);
  },
  "the share is that of what the customer paid, with the tax": async (context) => {
    const payment = await context.begin();
    const receipt = { reference: referenceOf(payment), at: new Date(0), tax: 250n };
    await context.apply(paidEvent(payment, { receipt }));
    equal(await context.apply(refundEvent(payment, { amount: 625n, seconds: 1, tax: 250n })), "applied");
    await context.expectBalance(550n);
  },
  "what a refund takes from paid money counts as no credit any more": async (context) => {
    const payment = await context.paid();
    await context.apply(refundEvent(payment, { amount: 500n, seconds: 1 }));
    const { totals } = await context.store.balances.balance(context.account);
    equal(totals.credited, 600n);
  },
  "a refund of what was spent makes the balance negative, if the rules say so": async (context) => {
    const payment = await context.paid();
    await context.ledger.charge(800n);
    equal(await context.apply(refundEvent(payment, { amount: 1_000n, seconds: 1 })), "applied");
    await context.expectBalance(-800n);
  },
  "a refund takes what is left at most, if the rules say so, and a later one takes its own share": async (context) => {
    const payment = await context.paid();
    await context.ledger.charge(800n);
    equal(await context.apply(refundEvent(payment, { amount: 500n, seconds: 1 }), atZero), "applied");
    await context.expectBalance(0n);
    deepEqual((await context.find(payment.id)).takenBack, { credit: 300n, bonus: 0n });
    await context.ledger.credit(1_000n);
    equal(await context.apply(refundEvent(payment, { amount: 600n, seconds: 2 }), atZero), "applied");
    await context.expectBalance(890n);
    deepEqual((await context.find(payment.id)).takenBack, { credit: 400n, bonus: 10n });
  },
  "a refund that failed gives back what it took": async (context) => {
    const payment = await context.paid();
    await context.apply(refundEvent(payment, { amount: 500n, seconds: 1 }));
    equal(await context.apply(refundEvent(payment, { amount: 100n, seconds: 2 })), "applied");
    await context.expectBalance(990n);
  },
  "a dispute takes its share, and keeps it when it is lost": async (context) => {
    const payment = await context.paid();
    const opened = disputeEvent(payment, "opened", { amount: 1_000n, seconds: 1 });
    equal(await context.apply(opened), "applied");
    equal(await context.apply(opened), "repeated");
    await context.expectBalance(0n);
    equal(await context.apply(disputeEvent(payment, "lost", { amount: 1_000n, seconds: 2 })), "applied");
    await context.expectBalance(0n);
    const { disputes } = await context.find(payment.id);
    deepEqual(
      disputes.map(({ reference, state, amount }) => [reference, state, amount]),
      [["dp_1", "lost", 1_000n]],
    );
  },
  "a dispute that is won gives back what it took, and no more": async (context) => {
    const payment = await context.paid();
    await context.ledger.charge(800n);
    await context.apply(disputeEvent(payment, "opened", { amount: 1_000n, seconds: 1 }), atZero);
    await context.expectBalance(0n);
    const won = disputeEvent(payment, "won", { amount: 1_000n, seconds: 2 });
    equal(await context.apply(won, atZero), "applied");
    equal(await context.apply(won, atZero), "repeated");
    await context.expectBalance(300n);
    deepEqual((await context.find(payment.id)).takenBack, { credit: 0n, bonus: 0n });
  },
  "refunds and disputes together take no more than was credited": async (context) => {
    const payment = await context.paid();
    await context.apply(refundEvent(payment, { amount: 700n, seconds: 1 }));
    await context.apply(disputeEvent(payment, "opened", { amount: 1_000n, seconds: 2 }));
    await context.apply(disputeEvent(payment, "opened", { amount: 500n, seconds: 3, dispute: "dp_2" }));
    await context.expectBalance(0n);
    await context.apply(disputeEvent(payment, "won", { amount: 500n, seconds: 4, dispute: "dp_2" }));
    await context.expectBalance(0n);
    await context.apply(disputeEvent(payment, "won", { amount: 1_000n, seconds: 5 }));
    await context.expectBalance(330n);
  },
  "a refund of another charge takes nothing, and asks for a person": async (context) => {
    const payment = await context.paid();
    const event = refundEvent(payment, { amount: 500n, seconds: 1 });
    const euros = { ...event, charged: { amount: 1_000n, currency: "EUR" } };
    equal(await context.apply(euros), "applied");
    equal(await context.apply(euros), "repeated");
    const { problem, refunded } = await context.find(payment.id);
    deepEqual([problem === undefined, refunded], [false, 0n]);
    await context.expectBalance(1_100n);
  },
  "a held payment that is refunded has ended": async (context) => {
    const payment = await context.begin();
    await context.apply(paidEvent(payment, { paid: { ...product.price, amount: 900n } }));
    const event = refundEvent(payment, { amount: 900n, seconds: 1 });
    equal(await context.apply({ ...event, charged: { ...product.price, amount: 900n } }), "applied");
    const { state, problem } = await context.find(payment.id);
    deepEqual([state, problem], ["ended", undefined]);
    await context.expectBalance(0n);
  },
};
