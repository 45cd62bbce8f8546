import { tollgate } from "@tollgate/express";
import express from "express";
import { page } from "./dashboard.ts";
import { gateway } from "./gateway.ts";
import { health } from "./health.ts";
import { homePage } from "./home-page.ts";
import { login } from "./login.ts";
import { accountOf } from "./login-cookie.ts";
import { lowBalanceMail } from "./low-balance-mail.ts";
import { mailAddress } from "./notice-settings.ts";
import { sellCredit } from "./payments.ts";
import { customerPage } from "./portal.ts";
import { stripeClient } from "./stripe-client.ts";
import { termsPage } from "./terms-page.ts";

export const app: express.Express = express();
// These check signatures of bodies, so they come before any body parser.
const apiKey = process.env["STRIPE_API_KEY"];
if (apiKey !== undefined) {
  app.use("/payments", tollgate(sellCredit(stripeClient(apiKey), apiKey.includes("_live_"), accountOf)));
}
const secret = process.env["NOTICES_SECRET"];
if (secret !== undefined) app.use(lowBalanceMail(secret, mailAddress, sendMail));
app.use("/router/v1", tollgate(gateway));
app.use("/assistants", tollgate(gateway.sessions));
app.use("/tollgate", tollgate(page));
app.use("/account", tollgate(customerPage));
app.use(tollgate(health));
app.use(login);
app.use(homePage);
app.use(termsPage(({ headers }) => accountOf(headers.cookie)));

/** Replace it: send the mail with your own service, with `id` as its idempotency key. */
async function sendMail(address: string, text: string, id: string): Promise<void> {
  console.log(`Mail ${id} to ${address}: ${text}`);
}
