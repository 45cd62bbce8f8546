import type { Checkout, Payment } from "@tollgate/payments";
import * as v from "valibot";
import { toMetadata } from "./marker.ts";
import type { CheckedOptions } from "./provider-options.ts";
import { promptRequest } from "./request-settings.ts";
import { toStripeAmount } from "./stripe-amount.ts";
import type { SessionParams } from "./stripe-client.ts";
import { isKeySpent, readFailure, unavailable } from "./stripe-failure.ts";

const minute = 60_000;

const sessionSchema = v.object({ id: v.string(), url: v.string(), livemode: v.boolean(), expires_at: v.number() });

/**
 * Makes the session of Stripe Checkout on which a customer pays, once for each payment. Throws a `ProviderUnavailable` if Stripe
 * does not answer within 10 seconds. https://docs.stripe.com/api/checkout/sessions/create
 */
export async function createCheckoutSession(options: CheckedOptions, payment: Payment, now: number): Promise<Checkout> {
  const { key, expiresAt } = attemptAt(payment, now);
  const params = sessionParams(options, payment, expiresAt);
  const answer = await createOnce(options, params, key);
  const { id, url, livemode, expires_at } = v.parse(sessionSchema, answer);
  if (livemode !== options.live) throw new TypeError(wrongMode(livemode));
  return { reference: id, url, expiresAt: new Date(expires_at * 1_000) };
}

/**
 * Returns the idempotency key of a payment, and until when its page is open. Stripe repeats its answer to a key for a day, and an
 * hour later the page in it has expired. So there is a new key each half hour; no customer has seen the page of an earlier one,
 * because a payment whose page was shown is not asked for again.
 */
function attemptAt({ id, createdAt }: Payment, now: number): { readonly key: string; readonly expiresAt: number } {
  const attempt = Math.max(0, Math.floor((now - createdAt.getTime()) / (30 * minute)));
  const expiresAt = createdAt.getTime() + (90 + attempt * 30) * minute;
  return { key: attempt === 0 ? id : `${id}:${attempt}`, expiresAt };
}

function sessionParams(
  { gateway, productName, successUrl, cancelUrl, automaticTax, invoiceCreation }: CheckedOptions,
  { id, product, savesMethod }: Payment,
  expiresAt: number,
): SessionParams {
  const metadata = toMetadata({ gateway, payment: id, kind: "checkout" });
  const { amount, currency } = toStripeAmount(product.price);
  return {
    mode: "payment",
    client_reference_id: id,
    metadata,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: amount,
          product_data: { name: productName(product) },
          ...(automaticTax ? { tax_behavior: "exclusive" } : {}),
        },
      },
    ],
    payment_intent_data: { metadata, ...(savesMethod ? { setup_future_usage: "off_session" } : {}) },
    ...(savesMethod ? { customer_creation: "always" } : {}),
    success_url: successUrl,
    cancel_url: cancelUrl,
    expires_at: Math.floor(expiresAt / 1_000),
    // What is paid is the written price in its currency: no discounts, and no conversion by Stripe.
    allow_promotion_codes: false,
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: automaticTax },
    invoice_creation: { enabled: invoiceCreation },
  };
}

/** If nothing can come of the key any more, a second one is tried. */
async function createOnce(options: CheckedOptions, params: SessionParams, key: string): Promise<unknown> {
  const create = (idempotencyKey: string, maxNetworkRetries: number) =>
    options.stripe.checkout.sessions.create(params, {
      ...promptRequest(options),
      maxNetworkRetries,
      idempotencyKey,
    });
  try {
    return await create(key, 1);
  } catch (error) {
    const failure = readFailure(error);
    if (failure.type === "StripeInvalidRequestError") throw error;
    if (!isKeySpent(failure)) throw unavailable(failure);
  }
  try {
    return await create(`${key}:again`, 0);
  } catch (error) {
    throw unavailable(readFailure(error));
  }
}

const wrongMode = (livemode: boolean): string =>
  `The API key of Stripe is one of ${livemode ? "live" : "test"} mode, and the option \`live\` of stripeProvider says ${!livemode}. Change one of them.`;
