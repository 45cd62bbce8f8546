import { deepEqual, equal } from "node:assert/strict";
import type { Payment, PaymentQuery } from "@tollgate/payments";
import type { Cases } from "../suite.ts";
import { at, type PaymentContext, paidEvent, product, referenceOf } from "./context.ts";

/** The cases of lists. */
export const listCases: Cases<PaymentContext> = {
  "pages have every payment once, the newest first": async (context) => {
    const begun: Payment[] = [];
    for (let count = 0; count < 7; count++) begun.push(await context.begin({ product: priced(count) }));
    const pages = await readPages(context, { account: context.account, limit: 3 });
    deepEqual(
      pages.map((page) => page.length),
      [3, 3, 1],
    );
    const listed = pages.flat();
    deepEqual(new Set(listed.map(({ id }) => id)), new Set(begun.map(({ id }) => id)));
    for (const [index, payment] of listed.slice(1).entries()) {
      equal(payment.createdAt <= (listed[index]?.createdAt ?? payment.createdAt), true);
    }
    deepEqual(
      listed.find(({ id }) => id === begun[0]?.id),
      begun[0],
    );
  },
  "a full last page has no next": async (context) => {
    await context.begin();
    const { payments, next } = await context.store.payments.list({ account: context.account, limit: 1 });
    deepEqual([payments.length, next], [1, undefined]);
  },
  "payments with a problem are selected, whatever their state": async (context) => {
    const [held, doubled] = [await context.begin({ product: priced(1) }), await context.paid()];
    await context.begin({ product: priced(2) });
    await context.apply(paidEvent(held, { paid: { amount: 1n, currency: "USD" } }));
    const second = { reference: `${referenceOf(doubled)}-second`, at: at(1), tax: 0n };
    equal(await context.apply(paidEvent(doubled, { receipt: second })), "applied");
    const { payments } = await context.store.payments.list({ account: context.account, problem: true, limit: 10 });
    deepEqual(
      new Set(payments.map(({ id, state }) => [id, state].join())),
      new Set([`${held.id},held`, `${doubled.id},paid`]),
    );
  },
  "payments are selected by account, state and time": async (context) => {
    const [first, second] = [await context.begin({ product: priced(1) }), await context.begin({ product: priced(2) })];
    await context.begin({ account: `${context.account}-other` });
    await context.apply(paidEvent(first));
    const ids = async (query: Partial<PaymentQuery>) => {
      const { payments } = await context.store.payments.list({ account: context.account, limit: 10, ...query });
      return payments.map(({ id }) => id).sort();
    };
    deepEqual(await ids({}), [first.id, second.id].sort());
    deepEqual(await ids({ state: "paid" }), [first.id]);
    deepEqual(await ids({ state: "held" }), []);
    const after = new Date(second.createdAt.getTime() + 1);
    deepEqual(await ids({ from: first.createdAt, to: after }), [first.id, second.id].sort());
    deepEqual(await ids({ from: after }), []);
    deepEqual(await ids({ to: first.createdAt }), []);
  },
};

const priced = (cents: number) => ({ ...product, price: { amount: BigInt(cents) + 100n, currency: "USD" } });

/** Reads all pages. */
async function readPages(context: PaymentContext, query: PaymentQuery): Promise<readonly (readonly Payment[])[]> {
  const { payments, next } = await context.store.payments.list(query);
  if (next === undefined) return [payments];
  return [payments, ...(await readPages(context, { ...query, after: next }))];
}
