import type { PaymentEvent, ReadEvent } from "@tollgate/payments";
import type { CheckedOptions } from "../provider-options.ts";
import type { StripeEvent } from "./verify-event.ts";

/** Reads the object of one type of event. Throws a `ValiError` for an object in another shape. */
export type EventReader = (options: CheckedOptions, event: StripeEvent) => ReadEvent | Promise<ReadEvent>;

/** The result for an event that is about nothing of this gateway. */
export const ignored: ReadEvent = { outcome: "ignored" };

/** The members of an event that all types have. */
export const commonOf = ({ id, created, livemode }: StripeEvent) => ({
  id,
  provider: "stripe",
  live: livemode,
  at: created,
});

/** The result for an event that is about a payment. */
export const reported = (event: PaymentEvent): ReadEvent => ({ outcome: "event", event });
