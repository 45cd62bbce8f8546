import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import { memoryPaymentStore, payments } from "@tollgate/payments";
import { stripeProvider } from "@tollgate/stripe";
import express from "express";
import Stripe from "stripe";

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});
const balances = memoryBalanceStore();
const gateway = createGateway({
  keys: memoryKeyStore(),
  balances,
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [
    {
      id: "acme-small",
      maxOutputTokens: 64_000,
      price: { input: "0.25", output: "2" },
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
});
const counter = payments({
  gateway,
  store: memoryPaymentStore({ balances }),
  provider: stripeProvider({
    stripe: new Stripe(process.env["STRIPE_API_KEY"] ?? ""),
    live: false,
    webhookSecrets: [process.env["STRIPE_WEBHOOK_SECRET"] ?? ""],
    successUrl: "https://acme.example/billing?paid",
    cancelUrl: "https://acme.example/billing",
  }),
  products: [{ id: "credit-10", price: { amount: 1_000, currency: "USD" }, credit: "10.00" }],
  // Replace it: read the account from your own login session.
  authorize: () => ({ account: "customer-17" }),
});

const app = express();
app.use("/payments", tollgate(counter)); // above any body parser
app.use("/router/v1", tollgate(gateway));
const port = Number(process.env["PORT"] ?? 8787);
app.listen(port, "127.0.0.1", (error) => {
  if (error) throw new Error(`Port ${port} cannot be used. Free it, or set another one as PORT.`, { cause: error });
  console.log(`Payments: http://127.0.0.1:${port}/payments`);
});
