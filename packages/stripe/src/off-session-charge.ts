import type { ChargeResult, Payment, SavedMethod } from "@tollgate/payments";
import * as v from "valibot";
import { toMetadata } from "./marker.ts";
import type { CheckedOptions } from "./provider-options.ts";
import { confirmationReason, refusalReason } from "./refusal-reason.ts";
import { patientRequest } from "./request-settings.ts";
import { toStripeAmount } from "./stripe-amount.ts";
import { isRefusal, readFailure, unavailable } from "./stripe-failure.ts";

const intentSchema = v.object({ id: v.string(), status: v.string() });

/**
 * Charges a saved payment method while the customer is away, once for each payment. Throws a `ProviderUnavailable` if the result is
 * not known. https://docs.stripe.com/payments/save-and-reuse#charge-saved-payment-method
 */
export async function chargeSavedMethod(
  options: CheckedOptions,
  { id, product }: Payment,
  { customer, method }: SavedMethod,
): Promise<ChargeResult> {
  const { stripe, gateway, successUrl, productName } = options;
  const params = {
    ...toStripeAmount(product.price),
    customer,
    payment_method: method,
    automatic_payment_methods: { enabled: true },
    // Needed by the API, though nobody is there to be redirected.
    return_url: successUrl,
    off_session: true,
    confirm: true,
    description: productName(product),
    metadata: toMetadata({ gateway, payment: id, kind: "top_up" }),
  };
  const request = { ...patientRequest(options), idempotencyKey: id };
  try {
    const intent = await stripe.paymentIntents.create(params, request);
    return resultOf(v.parse(intentSchema, intent).status);
  } catch (error) {
    const failure = readFailure(error);
    if (!isRefusal(failure)) throw unavailable(failure);
    return { outcome: "refused", reason: refusalReason(failure) };
  }
}

function resultOf(status: string): ChargeResult {
  if (status === "succeeded" || status === "processing") return { outcome: "accepted" };
  return { outcome: "refused", reason: confirmationReason };
}
