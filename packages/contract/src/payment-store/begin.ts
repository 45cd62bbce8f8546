import { deepEqual, equal } from "node:assert/strict";
import type { NewPayment } from "@tollgate/payments";
import type { Cases } from "../suite.ts";
import { at, endedEvent, limits, type PaymentContext, processingEvent, product } from "./context.ts";

const inAnHour = () => new Date(Date.now() + 3_600_000);

/** The cases of payments before they are paid. */
export const beginCases: Cases<PaymentContext> = {
  "a payment is pending, and is found as it was written": async (context) => {
    const wanted = context.newPayment({ savesMethod: true });
    const before = Date.now() - 5_000;
    const result = await context.store.payments.begin(wanted, limits);
    equal(result.outcome, "begun");
    const { createdAt, ...payment } = await context.find(wanted.id);
    equal(createdAt.getTime() > before, true);
    const none = { refunded: 0n, disputes: [], takenBack: { credit: 0n, bonus: 0n }, postings: 0 };
    deepEqual(payment, { ...wanted, state: "pending", ...none });
    equal(await context.store.payments.find({ id: crypto.randomUUID() }), undefined);
    await context.expectBalance(0n);
  },
  "the same id is reused, whatever it is begun with and however far it is": async (context) => {
    const first = await context.paid();
    const other = { ...product, credit: 5n };
    const again = await context.store.payments.begin(
      { ...context.newPayment({ id: first.id }), product: other },
      limits,
    );
    deepEqual(again, { outcome: "reused", payment: first });
  },
  "a pending checkout is reused for the same purchase": async (context) => {
    const first = await context.begin();
    const again = await context.store.payments.begin(context.newPayment(), limits);
    deepEqual(again, { outcome: "reused", payment: first });
  },
  "a pending checkout is not reused for another purchase, account, provider or mode": async (context) => {
    await context.begin();
    const others: readonly Partial<NewPayment>[] = [
      { product: { ...product, id: "large" } },
      { product: { ...product, price: { amount: 1_000n, currency: "EUR" } } },
      { product: { ...product, credit: 1_001n } },
      { savesMethod: true },
      { account: `${context.account}-other` },
      { provider: "other" },
      { live: true },
    ];
    for (const other of others) {
      equal((await context.store.payments.begin(context.newPayment(other), { maxOpen: 20 })).outcome, "begun");
    }
  },
  "a payment that is open is not reused, and has its page": async (context) => {
    const { id } = await context.begin();
    const checkout = { reference: "cs_1", url: "https://pay.example/cs_1", expiresAt: inAnHour() };
    const opened = await context.store.payments.open(id, checkout);
    deepEqual(opened?.checkout, checkout);
    deepEqual(await context.find(id), opened);
    equal(opened?.state, "open");
    equal((await context.store.payments.begin(context.newPayment(), limits)).outcome, "begun");
  },
  "open changes no payment that is further, and knows no other": async (context) => {
    const paid = await context.paid();
    const checkout = { reference: "cs_1", url: "https://pay.example/cs_1", expiresAt: inAnHour() };
    deepEqual(await context.store.payments.open(paid.id, checkout), paid);
    equal(await context.store.payments.open(crypto.randomUUID(), checkout), undefined);
  },
  "at most maxOpen checkouts of an account are open, and one that ends makes room": async (context) => {
    const open = async (cents: bigint) => {
      const price = { amount: cents, currency: "USD" };
      const result = await context.store.payments.begin(context.newPayment({ product: { ...product, price } }), {
        maxOpen: 2,
      });
      if (result.outcome === "too_many") return undefined;
      await context.store.payments.open(result.payment.id, {
        reference: `cs_${cents}`,
        url: "https://pay.example",
        expiresAt: inAnHour(),
      });
      return result.payment;
    };
    const first = await open(100n);
    await open(200n);
    equal(await open(300n), undefined);
    if (first !== undefined) equal(await context.apply(endedEvent(first)), "applied");
    equal((await open(300n)) === undefined, false);
    equal(await open(400n), undefined);
  },
  "a checkout whose page has expired does not count": async (context) => {
    const { id } = await context.begin();
    await context.store.payments.open(id, { reference: "cs_1", url: "https://pay.example", expiresAt: at(0) });
    equal((await context.store.payments.begin(context.newPayment(), { maxOpen: 1 })).outcome, "begun");
  },
  "a top-up is reused while it is in progress, whatever it buys, and counts as no checkout": async (context) => {
    const first = await context.begin({ kind: "top_up" });
    equal(await context.apply(processingEvent(first)), "applied");
    const other = context.newPayment({ kind: "top_up", product: { ...product, id: "large" } });
    const again = await context.store.payments.begin(other, limits);
    deepEqual(again, { outcome: "reused", payment: await context.find(first.id) });
    equal((await context.store.payments.begin(context.newPayment(), { maxOpen: 1 })).outcome, "begun");
    equal(await context.apply(endedEvent(first, { reason: "failed" })), "applied");
    equal((await context.store.payments.begin(other, limits)).outcome, "begun");
  },
};
