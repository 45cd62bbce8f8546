import type { ReadEvent } from "@tollgate/payments";
import * as v from "valibot";
import { readMarker } from "../marker.ts";
import type { CheckedOptions } from "../provider-options.ts";
import { fromStripeAmount } from "../stripe-amount.ts";
import { objectId, wholeAmount } from "../stripe-values.ts";
import { commonOf, type EventReader, ignored, reported } from "./event-reader.ts";
import { lookUpReceipt } from "./receipt.ts";
import type { StripeEvent } from "./verify-event.ts";

const completedSchema = v.object({
  client_reference_id: v.string(),
  payment_status: v.string(),
  currency: v.string(),
  amount_total: wholeAmount,
  total_details: v.object({ amount_tax: wholeAmount }),
  payment_intent: objectId,
  invoice: v.optional(v.nullable(objectId)),
});

const endedSchema = v.object({ client_reference_id: v.string() });

/**
 * A session that is complete. It is paid at once by a card, and later by a method that takes days, of which
 * `checkout.session.async_payment_succeeded` reports. https://docs.stripe.com/checkout/fulfillment
 */
export const readCompletedSession: EventReader = async (options, event) => {
  if (readMarker(event.data.object, options.gateway) === undefined) return ignored;
  const session = v.parse(completedSchema, event.data.object);
  const { client_reference_id: payment, payment_status: status } = session;
  if (status === "unpaid") return reported({ ...commonOf(event), type: "payment.processing", payment });
  return status === "paid" ? await readPaid(options, event, session) : ignored;
};

async function readPaid(
  options: CheckedOptions,
  event: StripeEvent,
  session: v.InferOutput<typeof completedSchema>,
): Promise<ReadEvent> {
  const { client_reference_id: payment, currency, amount_total: total, payment_intent: reference } = session;
  const { amount_tax: tax } = session.total_details;
  const { method, ...pages } = await lookUpReceipt(options, reference, session.invoice ?? undefined);
  return reported({
    ...commonOf(event),
    type: "payment.paid",
    payment,
    paid: fromStripeAmount(total - tax, currency),
    receipt: { reference, at: event.created, tax: fromStripeAmount(tax, currency).amount, ...pages },
    ...(method === undefined ? {} : { method }),
  });
}

/** A session that expired, or whose payment failed after days. */
export const readEndedSession =
  (reason: "expired" | "failed"): EventReader =>
  ({ gateway }, event) => {
    if (readMarker(event.data.object, gateway) === undefined) return ignored;
    const { client_reference_id: payment } = v.parse(endedSchema, event.data.object);
    return reported({ ...commonOf(event), type: "payment.ended", payment, reason });
  };
