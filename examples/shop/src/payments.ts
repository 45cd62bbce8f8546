import { type Payments, payments } from "@tollgate/payments";
import { sqlitePaymentStore } from "@tollgate/sqlite/payments";
import { stripeProvider } from "@tollgate/stripe";
import type Stripe from "stripe";
import { balances, database, gateway } from "./gateway.ts";
import { site } from "./site.ts";

const billing = `${site}/account/payments`;

/** Sells credit with Stripe. `accountOf` reads the account from the cookie of your own login session. */
export function sellCredit(
  stripe: Stripe,
  live: boolean,
  accountOf: (cookie: string | undefined) => string | undefined,
): Payments {
  return payments({
    gateway,
    store: sqlitePaymentStore(database, { balances }),
    provider: stripeProvider({
      stripe,
      live,
      webhookSecrets: [process.env["STRIPE_WEBHOOK_SECRET"] ?? ""],
      successUrl: `${billing}?paid`,
      cancelUrl: billing,
    }),
    products: [
      { id: "credit-10", price: { amount: 1_000, currency: "USD" }, credit: "10.00" },
      { id: "credit-50", price: { amount: 5_000, currency: "USD" }, credit: "50.00", bonus: "5.00" },
    ],
    authorize({ headers }) {
      const account = accountOf(headers.get("cookie") ?? undefined);
      return account === undefined ? undefined : { account };
    },
    freezeOnDispute: balances,
  });
}
