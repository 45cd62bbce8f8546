import { tollgate } from "@tollgate/express";
import express, { type Request } from "express";
import { page } from "./dashboard.ts";
import { gateway } from "./gateway.ts";
import { health } from "./health.ts";
import { lowBalanceMail } from "./low-balance-mail.ts";
import { stripeWebhook } from "./stripe-webhook.ts";
import { termsPage } from "./terms-page.ts";

export const app: express.Express = express();
// These check signatures of bodies, so they come before any body parser.
app.use(stripeWebhook);
const secret = process.env["NOTICES_SECRET"];
if (secret !== undefined) app.use(lowBalanceMail(secret, sendMail));
app.use("/router/v1", tollgate(gateway));
app.use("/assistants", tollgate(gateway.sessions));
app.use("/tollgate", tollgate(page));
app.use(tollgate(health));
app.use(termsPage(accountOf));

/** Replace it: read the account from your own login session. Nobody is logged in yet. */
function accountOf(_request: Request): string | undefined {
  return undefined;
}

/** Replace it: send the mail with your own service, with `id` as its idempotency key. */
async function sendMail(account: string, text: string, id: string): Promise<void> {
  console.log(`Mail ${id} to ${account}: ${text}`);
}
