import type Stripe from "stripe";

/** Returns the page of Stripe on which a person pays for the credit. Take the account from your own login session. */
export async function startTopUp(stripe: Stripe, account: string, cents: number): Promise<string> {
  const session = await stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [
      { quantity: 1, price_data: { currency: "usd", unit_amount: cents, product_data: { name: "API credit" } } },
    ],
    metadata: { account },
    success_url: "https://acme.example/billing?paid",
  });
  if (session.url === null) throw new Error(`Stripe returned no page for ${session.id}. Look it up in the dashboard.`);
  return session.url;
}
