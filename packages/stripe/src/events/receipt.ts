import type { SavedMethod } from "@tollgate/payments";
import * as v from "valibot";
import type { CheckedOptions } from "../provider-options.ts";
import { promptRequest } from "../request-settings.ts";
import { readFailure, unavailable } from "../stripe-failure.ts";
import { objectId } from "../stripe-values.ts";

const intentSchema = v.object({
  customer: v.optional(v.nullable(objectId)),
  payment_method: v.optional(v.nullable(objectId)),
  setup_future_usage: v.optional(v.nullable(v.string())),
  latest_charge: v.fallback(
    v.optional(v.nullable(v.object({ receipt_url: v.optional(v.nullable(v.string())) }))),
    undefined,
  ),
});

const invoiceSchema = v.object({ hosted_invoice_url: v.optional(v.nullable(v.string())) });

/** What a customer gets from a payment besides the credit. */
export interface ReceiptDetails {
  readonly invoiceUrl?: string;
  readonly receiptUrl?: string;
  /** Present if the customer has saved the payment method. */
  readonly method?: SavedMethod;
}

/**
 * Asks Stripe for what the event of a payment does not have. Throws a `ProviderUnavailable` if there is no answer, so that the event
 * comes again, because a saved payment method is known from nowhere else.
 */
export async function lookUpReceipt(
  options: CheckedOptions,
  intent: string,
  invoice: string | undefined,
): Promise<ReceiptDetails> {
  const { stripe } = options;
  const request = promptRequest(options);
  try {
    const [ofIntent, ofInvoice] = await Promise.all([
      stripe.paymentIntents.retrieve(intent, { expand: ["latest_charge"] }, request),
      invoice === undefined ? {} : stripe.invoices.retrieve(invoice, {}, request),
    ]);
    return readDetails(ofIntent, ofInvoice);
  } catch (error) {
    if (v.isValiError(error)) throw error;
    const failure = readFailure(error);
    // A restricted key may lack a permission. Who has paid is credited all the same.
    if (failure.type === "StripePermissionError") return {};
    throw unavailable(failure);
  }
}

function readDetails(ofIntent: unknown, ofInvoice: unknown): ReceiptDetails {
  const {
    customer,
    payment_method: method,
    setup_future_usage: saved,
    latest_charge: charge,
  } = v.parse(intentSchema, ofIntent);
  const invoiceUrl = v.parse(invoiceSchema, ofInvoice).hosted_invoice_url ?? undefined;
  const receiptUrl = charge?.receipt_url ?? undefined;
  const isSaved = saved === "off_session" && typeof customer === "string" && typeof method === "string";
  return {
    ...(invoiceUrl === undefined ? {} : { invoiceUrl }),
    ...(receiptUrl === undefined ? {} : { receiptUrl }),
    ...(isSaved ? { method: { customer, method } } : {}),
  };
}
