import type { PaymentEvent } from "./payment-event.ts";

/** By what the payment of an event is found: its id, or what the provider calls it. */
export type Subject = { readonly id: string } | { readonly provider: string; readonly reference: string };

/** Returns by what the payment of an event is found. */
export const subjectOf = (event: PaymentEvent): Subject =>
  "payment" in event ? { id: event.payment } : { provider: event.provider, reference: event.reference };
