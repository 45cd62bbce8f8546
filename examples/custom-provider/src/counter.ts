import { createGateway, memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import { memoryPaymentStore, payments } from "@tollgate/payments";
import express from "express";
import { acmePay } from "./acme-pay.ts";

export const balances = memoryBalanceStore();
export const gateway = createGateway({
  keys: memoryKeyStore(),
  balances,
  models: [],
  plans: [{ id: "prepaid", billing: "prepaid" }],
});

/** The accounts of the people who are logged in to your app, by their session. */
export const sessions = new Map<string, string>();

export const counter = payments({
  gateway,
  store: memoryPaymentStore({ balances }),
  provider: acmePay({
    baseURL: process.env["ACME_PAY_URL"] ?? "https://api.acme-pay.example/v1",
    apiKey: process.env["ACME_PAY_KEY"] ?? "",
    signingSecret: process.env["ACME_PAY_SECRET"] ?? "",
    shop: "acme",
    live: process.env["NODE_ENV"] === "production",
  }),
  products: [
    { id: "credit-10", price: { amount: 1_000, currency: "USD" }, credit: "10.00" },
    { id: "credit-50", price: { amount: 5_000, currency: "USD" }, credit: "50.00", bonus: "5.00" },
  ],
  authorize({ headers }) {
    const account = sessions.get(/session=(\w+)/.exec(headers.get("cookie") ?? "")?.[1] ?? "");
    return account === undefined ? undefined : { account };
  },
  freezeOnDispute: balances,
});

export const app: express.Express = express();
// Before the parser: the signatures of notifications are of their bytes.
app.use("/payments", tollgate(counter));
app.use("/router/v1", tollgate(gateway));
app.use(express.json());
