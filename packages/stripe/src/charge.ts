import type { Money } from "@tollgate/payments";
import * as v from "valibot";
import { readMarker } from "./marker.ts";
import type { CheckedOptions } from "./provider-options.ts";
import { promptRequest } from "./request-settings.ts";
import { fromStripeAmount } from "./stripe-amount.ts";
import { readFailure, unavailable } from "./stripe-failure.ts";
import { objectId, wholeAmount } from "./stripe-values.ts";

/** What is read of a charge of this gateway. */
export interface Charge {
  /** The id of its PaymentIntent. */
  readonly reference: string;
  readonly charged: Money;
  readonly refunded: Money;
}

const schema = v.object({
  amount: wholeAmount,
  amount_refunded: wholeAmount,
  currency: v.string(),
  payment_intent: objectId,
});

/** Reads a charge; undefined for one that is not of this gateway. Throws a `ValiError` for an object that is no charge. */
export function readCharge(object: unknown, gateway: string): Charge | undefined {
  if (readMarker(object, gateway) === undefined) return undefined;
  const { amount, amount_refunded: refunded, currency, payment_intent: reference } = v.parse(schema, object);
  return { reference, charged: fromStripeAmount(amount, currency), refunded: fromStripeAmount(refunded, currency) };
}

/** Asks Stripe for a charge; undefined for one that is not of this gateway. Throws a `ProviderUnavailable` if there is no answer. */
export async function retrieveCharge(options: CheckedOptions, id: string): Promise<Charge | undefined> {
  const { stripe, gateway } = options;
  try {
    return readCharge(await stripe.charges.retrieve(id, {}, promptRequest(options)), gateway);
  } catch (error) {
    if (v.isValiError(error)) throw error;
    throw unavailable(readFailure(error));
  }
}
