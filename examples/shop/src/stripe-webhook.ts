import express, { type Request } from "express";
import Stripe from "stripe";
import { balances } from "./gateway.ts";

const secret = process.env["STRIPE_WEBHOOK_SECRET"] ?? "";
/** A cent in nano-units. */
const cent = 10_000_000n;

/** Receives the events of Stripe. Stripe signs the bytes of a body, so mount it before `express.json()`. */
export const stripeWebhook: express.Router = express.Router();
stripeWebhook.post("/stripe/webhook", express.raw({ type: "application/json" }), async (request, response) => {
  const event = readEvent(request);
  if (event === undefined) {
    response.status(400).send("The signature is not valid. Check the signing secret of this endpoint.");
    return;
  }
  // A bank transfer is paid some days after its session is completed.
  if (event.type === "checkout.session.completed" || event.type === "checkout.session.async_payment_succeeded") {
    await topUp(event.data.object);
  }
  response.sendStatus(200);
});

function readEvent({ body, headers }: Request): Stripe.Event | undefined {
  const signature = headers["stripe-signature"];
  if (!Buffer.isBuffer(body) || signature === undefined) return undefined;
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
    throw error;
  }
}

/** Credits a paid session to its account. If this rejects, Stripe gets 500 and sends the event again. */
async function topUp(session: Stripe.Checkout.Session): Promise<void> {
  const account = session.metadata?.["account"];
  if (account === undefined || session.payment_status !== "paid" || session.amount_total === null) return;
  if (session.currency !== "usd") throw new Error(`${session.id} is not in US dollars. Credit it by hand.`);
  const cents = session.amount_total - (session.total_details?.amount_tax ?? 0);
  // Stripe may send an event twice, and two events for one session: its id makes all of them one credit.
  const id = `stripe-${session.id}`;
  const { outcome } = await balances.credit({ id, account, amount: BigInt(cents) * cent, reason: "top-up" });
  if (outcome === "conflict") throw new Error(`${id} was credited with another amount. Compare it with the ledger.`);
}
