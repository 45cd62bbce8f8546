import type { PaymentProvider, ProviderMovement } from "@tollgate/payments";
import { expect, it } from "vitest";
import { decide, dispute, failRefund, pay, refund } from "../support/stripe/actions.ts";
import { paymentOf, startProvider } from "./provider-under-test.ts";

async function movementsOf(provider: PaymentProvider, ahead = 1): Promise<ProviderMovement[]> {
  const movements: ProviderMovement[] = [];
  const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + ahead * 1_000) };
  for await (const movement of provider.movements(range)) movements.push(movement);
  return movements.reverse();
}

it("are payments, refunds and disputes in the currency of the charge, on all pages", async () => {
  const { provider, stripe } = await startProvider();
  const euros = { id: "eur", price: { amount: 1_000n, currency: "EUR" }, credit: 1n, bonus: 0n };
  const { reference: session } = await provider.checkout(paymentOf({ product: euros }));
  const intent = pay(stripe.account, session, { tax: 200 });
  const part = refund(stripe.account, intent.id, 300);
  failRefund(stripe.account, part.id);
  const opened = dispute(stripe.account, intent.id, { amount: 500 });
  decide(stripe.account, opened.id, "won");
  for (let count = 0; count < 105; count += 1) pay(stripe.account, (await provider.checkout(paymentOf())).reference);
  const movements = await movementsOf(provider);
  expect(
    movements.slice(0, 5).map(({ type, reference, amount }) => [type, reference, amount.amount, amount.currency]),
  ).toEqual([
    ["payment", intent.id, 1_200n, "EUR"],
    ["refund", intent.id, -300n, "EUR"],
    ["refund", intent.id, 300n, "EUR"],
    ["dispute", intent.id, -500n, "EUR"],
    ["dispute_reversal", intent.id, 500n, "EUR"],
  ]);
  expect(movements).toHaveLength(110);
  expect(new Set(movements.map(({ id }) => id)).size).toBe(110);
});

it("are of this gateway and the time range only", async () => {
  const { provider, stripe } = await startProvider();
  const other = await startProvider({ stripe: stripe.client, gateway: "staging" });
  const intent = pay(stripe.account, (await other.provider.checkout(paymentOf())).reference);
  refund(stripe.account, intent.id);
  expect(await movementsOf(provider)).toEqual([]);
  expect(await movementsOf(other.provider)).toHaveLength(2);
  expect(await movementsOf(other.provider, -60)).toEqual([]);
});

it("are unavailable when Stripe is", async () => {
  const { provider, stripe } = await startProvider();
  stripe.faults.next("forbidden");
  await expect(movementsOf(provider)).rejects.toThrow("Stripe answered with 403");
});
