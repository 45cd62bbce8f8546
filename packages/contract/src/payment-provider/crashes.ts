import { equal } from "node:assert/strict";
import type { PaymentStore } from "@tollgate/payments";
import { disputeEvent, paidEvent, refundEvent } from "../payment-store/context.ts";
import type { Cases } from "../suite.ts";
import type { PaymentProviderContext } from "./context.ts";

/** The cases of an endpoint that ends, or whose store fails, between two steps. */
export const crashCases: Cases<PaymentProviderContext> = {
  "a notification that failed before its effect is answered with 503, and has its effect when it is sent again": (
    context,
  ) => expectOnce(context, (store) => ({ ...store, apply: fails })),
  "a notification whose answer was lost after its effect has it once": (context) =>
    expectOnce(context, (store) => ({
      ...store,
      apply(event, rules) {
        store.apply(event, rules);
        return fails();
      },
    })),
};

const fails = (): never => {
  throw new Error("The connection to the database was lost.");
};

/** Sends each notification to a store that fails, and then to one that works. */
async function expectOnce(
  context: PaymentProviderContext,
  failing: (store: PaymentStore) => PaymentStore,
): Promise<void> {
  const payment = await context.begin();
  const events = [
    paidEvent(payment),
    refundEvent(payment, { amount: 300n, seconds: 1 }),
    disputeEvent(payment, "opened", { amount: 500n, seconds: 2 }),
  ];
  for (const event of events) {
    const notification = await context.sign(event);
    equal(await context.send(notification, failing(methodsOf(context.store))), 503);
    equal(await context.send(notification), 200);
  }
  context.expectPosted(payment, 220n);
}

/** The methods of a store as members, so that one of them can be replaced. */
const methodsOf = (store: PaymentStore): PaymentStore => ({
  begin: (...args) => store.begin(...args),
  open: (...args) => store.open(...args),
  apply: (...args) => store.apply(...args),
  find: (by) => store.find(by),
  resolve: (id) => store.resolve(id),
  list: (query) => store.list(query),
  waitingEvents: (query) => store.waitingEvents(query),
  savedMethod: (account) => store.savedMethod(account),
  setTopUp: (topUp) => store.setTopUp(topUp),
  removeTopUp: (account) => store.removeTopUp(account),
  topUp: (account) => store.topUp(account),
  forget: (account) => store.forget(account),
  dueTopUps: (query) => store.dueTopUps(query),
});
