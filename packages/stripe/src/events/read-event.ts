import type { ReadEvent } from "@tollgate/payments";
import * as v from "valibot";
import type { CheckedOptions } from "../provider-options.ts";
import { readDispute, readFailedRefund, readRefund } from "./charge-events.ts";
import { type EventReader, ignored } from "./event-reader.ts";
import { readFailedIntent, readPaidIntent } from "./intent-events.ts";
import { readCompletedSession, readEndedSession } from "./session-events.ts";
import { type StripeEvent, verifyEvent } from "./verify-event.ts";

/** https://docs.stripe.com/api/events/types */
const readers: Readonly<Record<string, EventReader>> = {
  "checkout.session.completed": readCompletedSession,
  "checkout.session.async_payment_succeeded": readCompletedSession,
  "checkout.session.async_payment_failed": readEndedSession("failed"),
  "checkout.session.expired": readEndedSession("expired"),
  "payment_intent.succeeded": readPaidIntent,
  "payment_intent.payment_failed": readFailedIntent,
  "charge.refunded": readRefund,
  "refund.failed": readFailedRefund,
  "charge.dispute.created": readDispute,
  "charge.dispute.funds_withdrawn": readDispute,
  "charge.dispute.closed": readDispute,
};

/** The types of events that the endpoint at Stripe sends. All others are ignored. */
export const stripeEvents: readonly string[] = Object.keys(readers);

/**
 * Verifies and reads an event of Stripe. Throws a `ProviderUnavailable` if what is asked of Stripe for it is not answered, so that the
 * event comes again.
 */
export async function readStripeEvent(
  options: CheckedOptions,
  body: Uint8Array,
  signature: string | undefined,
): Promise<ReadEvent> {
  try {
    const event = await verifyEvent(options, body, signature);
    if (typeof event === "string") return { outcome: "refused", problem: event };
    if (isOfAnother(event, options)) return ignored;
    return (await readers[event.type]?.(options, event)) ?? ignored;
  } catch (error) {
    if (!v.isValiError(error)) throw error;
    return { outcome: "refused", problem: shapeProblem(error.issues) };
  }
}

/** An endpoint of Stripe Connect receives events of every connected account, and in live mode those of test mode too. */
const isOfAnother = (event: StripeEvent, { live, account }: CheckedOptions): boolean =>
  event.livemode !== live || (event.account ?? undefined) !== account;

function shapeProblem(issues: readonly v.BaseIssue<unknown>[]): string {
  const places = issues.map((issue) => v.getDotPath(issue) ?? "the object");
  return `The event has no valid ${places.join(", ")}. Choose another version of the API for the endpoint at Stripe.`;
}
