import type { Difference } from "@tollgate/payments";
import { reconcile } from "@tollgate/payments";
import { expect, it } from "vitest";
import { decide, dispute, expire, failRefund, pay, payLater, refund } from "../support/stripe/actions.ts";
import type { StripeAccount } from "../support/stripe/stripe-account.ts";
import { type CounterUnderTest, startCounter } from "./counter-under-test.ts";
import { seededRandom } from "./seeded-random.ts";

async function differencesOf({ balances, provider, store }: CounterUnderTest): Promise<Difference[]> {
  const found: Difference[] = [];
  const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  await reconcile({ provider, store, balances, ...range, onDifference: (difference) => found.push(difference) });
  return found;
}

/** A customer does with a page what customers do, and the bank and the operator do what they do then. */
function live(account: StripeAccount, session: string, random: () => number): void {
  if (random() < 0.1) return void expire(account, session);
  const later = random() < 0.2;
  const { id } = pay(account, session, { later, tax: random() < 0.3 ? 475 : 0 });
  if (later) payLater(account, session, random() < 0.7);
  if (account.intent(id).status !== "succeeded") return;
  if (random() < 0.4) {
    const part = refund(account, id, 300);
    // A bank sends a refund back later. Events have whole seconds.
    account.ahead += 1;
    if (random() < 0.3) failRefund(account, part.id);
    account.ahead += 1;
  }
  if (random() < 0.3) {
    const inquiry = random() < 0.3;
    const opened = dispute(account, id, { amount: 900, inquiry });
    if (random() < 0.7) decide(account, opened.id, inquiry ? "warning_closed" : random() < 0.5 ? "won" : "lost");
  }
  if (random() < 0.2) refund(account, id);
}

// The tests of faults do so on SQLite and PostgreSQL, while processes are killed.
it("finds nothing after 150 events in disorder, while Stripe and the database fail", { timeout: 60_000 }, async () => {
  const under = await startCounter({ payments: () => ({ refundsBelowZero: true }) });
  const { asked, ask, balances, store, stripe } = under;
  const random = seededRandom(17);
  let events = 0;
  while (events < 150) {
    const product = random() < 0.5 ? "25" : "100";
    const { body } = await ask("POST", "/checkout", { product }, `account-${events}`);
    live(stripe.account, String(body.url).split("/").at(-1) ?? "", random);
    events = stripe.webhooks.waiting.length;
  }
  stripe.faults.choose = () =>
    random() < 0.1 ? (["cut", "refused", "cut_after"] as const)[Math.floor(random() * 3)] : undefined;
  const isLost = (part: number) => {
    if (random() < part) throw new Error("The connection to the database was lost.");
  };
  asked.store = {
    ...asked.store,
    async apply(event, rules) {
      isLost(0.05);
      const result = await store.apply(event, rules);
      isLost(0.05);
      return result;
    },
  };
  await stripe.webhooks.deliverInDisorder({ random, doubled: 0.2, lost: 0.1, atOnce: 16 });
  expect(stripe.webhooks.statuses).toContain(503);
  stripe.faults.choose = () => undefined;
  expect(await differencesOf(under)).toEqual([]);
  expect([await balances.verify(), await store.waitingEvents({ limit: 10 })]).toEqual([[], []]);
});

it("finds a credit that is missing, one that is doubled, a refund that was not taken back, and a charge that is not known", async () => {
  const under = await startCounter();
  const { balances, open, store, stripe } = under;
  const paid = async () => pay(stripe.account, await open()).id;
  const [doubled, refunded] = [await paid(), await paid()];
  await stripe.webhooks.deliver();
  await balances.credit({
    id: `payment:${doubled}:2`,
    account: "customer-17",
    amount: 25_000_000_000n,
    reason: "again",
  });
  refund(stripe.account, refunded);
  stripe.webhooks.drop();
  const missing = await paid();
  stripe.webhooks.drop();
  const foreign = await startCounter({ stripe: { stripe: stripe.client } });
  const unknown = pay(stripe.account, await foreign.open()).id;
  expect(await store.find({ provider: "stripe", reference: missing })).toBeUndefined();
  const found = await differencesOf(under);
  expect(found.map(({ kind, reference }) => [kind, reference]).sort()).toEqual(
    [
      ["credit_without_payment", doubled],
      ["not_a_payment", missing],
      ["not_a_payment", unknown],
      ["returned_otherwise", refunded],
    ].sort(),
  );
  for (const { sentence } of found) expect(sentence).toMatch(/^[A-Z].*\.$/);
});
