import * as v from "valibot";
import { readMarker } from "../marker.ts";
import { refusalReason } from "../refusal-reason.ts";
import { fromStripeAmount } from "../stripe-amount.ts";
import { wholeAmount } from "../stripe-values.ts";
import { commonOf, type EventReader, ignored, reported } from "./event-reader.ts";
import { lookUpReceipt } from "./receipt.ts";
import type { StripeEvent } from "./verify-event.ts";

const intentSchema = v.object({ id: v.string(), amount_received: wholeAmount, currency: v.string() });

const failedSchema = v.object({
  last_payment_error: v.fallback(
    v.optional(v.object({ type: v.string(), message: v.string(), code: v.optional(v.string()) })),
    undefined,
  ),
});

/** A top-up that was paid. The PaymentIntent of a checkout is reported by its session. */
export const readPaidIntent: EventReader = async (options, event) => {
  const payment = topUpOf(event, options.gateway);
  if (payment === undefined) return ignored;
  const { id: reference, amount_received: paid, currency } = v.parse(intentSchema, event.data.object);
  const { receiptUrl } = await lookUpReceipt(options, reference, undefined);
  return reported({
    ...commonOf(event),
    type: "payment.paid",
    payment,
    paid: fromStripeAmount(paid, currency),
    receipt: { reference, at: event.created, tax: 0n, ...(receiptUrl === undefined ? {} : { receiptUrl }) },
  });
};

/** A top-up that failed. On the page of a checkout the customer tries again. */
export const readFailedIntent: EventReader = ({ gateway }, event) => {
  const payment = topUpOf(event, gateway);
  if (payment === undefined) return ignored;
  const { last_payment_error: error } = v.parse(failedSchema, event.data.object);
  const message = error === undefined ? {} : { message: refusalReason(error) };
  return reported({ ...commonOf(event), type: "payment.ended", payment, reason: "failed", ...message });
};

function topUpOf(event: StripeEvent, gateway: string): string | undefined {
  const marker = readMarker(event.data.object, gateway);
  return marker?.kind === "top_up" ? marker.payment : undefined;
}
