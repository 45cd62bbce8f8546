import type { Payment, PaymentEvent, PaymentStore } from "@tollgate/payments";

const price = { amount: 1_000n, currency: "USD" };

/** Begins a payment of the account for 10.00 USD, with a bonus of 100 nano-units. */
export async function begunPayment(store: PaymentStore, account: string, credit = 1_000n): Promise<Payment> {
  const id = crypto.randomUUID();
  // Another product for each, since a purchase that is pending is not begun twice.
  const product = { id: `product ${id}`, price, credit, bonus: 100n };
  const payment = {
    id,
    account,
    provider: "test",
    live: false,
    kind: "checkout",
    savesMethod: false,
    product,
  } as const;
  const result = await store.begin(payment, { maxOpen: 1_000 });
  if (result.outcome !== "begun") throw new Error(`The payment did not begin: ${result.outcome}.`);
  return result.payment;
}

/** The event by which a payment is paid. */
export function paidEvent({ id, provider, live, product }: Payment): PaymentEvent {
  const at = new Date(0);
  const receipt = { reference: `ref ${id}`, at, tax: 0n };
  return { type: "payment.paid", id: `paid ${id}`, provider, live, at, payment: id, paid: product.price, receipt };
}

/** The event by which a payment is refunded, all of it. */
export function refundEvent({ id, provider, live }: Payment): PaymentEvent {
  const about = { id: `refund ${id}`, provider, live, at: new Date(1_000), reference: `ref ${id}` };
  return { ...about, type: "payment.refunded", refunded: price, charged: price };
}
