import { equal } from "node:assert/strict";
import { paidEvent, product } from "../payment-store/context.ts";
import type { Cases } from "../suite.ts";
import type { PaymentProviderContext, Signing } from "./context.ts";

/** A case in which a notification that is made in a way is refused. */
const refused = (how: Signing) => async (context: PaymentProviderContext) => {
  const payment = await context.begin();
  const notification = await context.sign(paidEvent(payment), how);
  const read = await context.read(notification);
  equal(read.outcome, "refused");
  if (read.outcome === "refused") equal(read.problem.endsWith("."), true, "The problem must be a sentence.");
  equal(await context.send(notification), 400);
  equal(context.find(payment).state, "pending");
  context.expectPosted(payment, 0n);
};

/** The cases of notifications that are forged, or true and of something else. */
export const forgeryCases: Cases<PaymentProviderContext> = {
  "an unsigned notification is refused": refused("unsigned"),
  "a notification signed with an empty secret is refused": refused("empty_secret"),
  "a notification of another endpoint is refused": refused("other_secret"),
  "a notification that was signed long ago is refused": refused("old"),
  "a notification with another body than was signed is refused": refused("tampered"),
  "a signed notification that is not readable is refused": refused("unreadable"),
  "another amount is held, and credits nothing": async (context) => {
    for (const amount of [1n, 999n, 1_001n]) {
      const payment = await context.begin();
      const event = paidEvent(payment, { paid: { ...product.price, amount } });
      equal(await context.send(await context.sign(event)), 200);
      equal(context.find(payment).state, "held");
      context.expectPosted(payment, 0n);
    }
  },
  "another currency is held, and credits nothing": async (context) => {
    const payment = await context.begin();
    const event = paidEvent(payment, { paid: { ...product.price, currency: "EUR" } });
    equal(await context.send(await context.sign(event)), 200);
    equal(context.find(payment).state, "held");
    context.expectPosted(payment, 0n);
  },
  "a payment of the other mode credits nothing": async (context) => {
    const payment = await context.begin();
    const event = { ...paidEvent(payment), live: !context.provider.live };
    const status = await context.send(await context.sign(event));
    equal(status === 200 || status === 400, true);
    equal(context.find(payment).state, "pending");
    context.expectPosted(payment, 0n);
  },
};
