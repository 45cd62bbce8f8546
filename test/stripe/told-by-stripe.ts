import type { Notification, Signing } from "@tollgate/contract";
import type { Money, PaymentEvent } from "@tollgate/payments";
import type { StripeServer } from "../support/stripe/stripe-server.ts";
import { sign } from "../support/stripe/webhooks.ts";
import { signingSecret } from "./provider-under-test.ts";

type EventOf<Type extends PaymentEvent["type"]> = Extract<PaymentEvent, { type: Type }>;

const anotherSecret = "whsec_N5yXc7MdH2sJf9GpAe4UZk3vB8qLw1TnR";

/** Makes the notification by which Stripe tells of an event, and adds to the stand-in what the provider asks it for. */
export function toldByStripe(stripe: StripeServer, event: PaymentEvent, how: Signing): Notification {
  const gateway = how === "other_gateway" ? "another" : "tollgate";
  const { type, object } = stripeObjectOf(stripe, event, gateway);
  const data = { object: how === "unreadable" ? { ...object, amount_total: "all of it" } : object };
  const { id, live: livemode, at } = event;
  const body = JSON.stringify({ id, object: "event", type, created: at.getTime() / 1_000, livemode, data });
  const signature = signatureOf(body, how);
  return {
    body: Buffer.from(how === "tampered" ? body.replace('"object":"event"', '"object": "event"') : body),
    headers: {
      "content-type": "application/json",
      ...(signature === undefined ? {} : { "stripe-signature": signature }),
    },
  };
}

function signatureOf(body: string, how: Signing): string | undefined {
  if (how === "unsigned") return undefined;
  if (how === "empty_secret") return sign(body, [""]);
  if (how === "other_secret") return sign(body, [anotherSecret]);
  return sign(body, [signingSecret], Math.floor(Date.now() / 1_000) - (how === "old" ? 3_600 : 0));
}

function stripeObjectOf(stripe: StripeServer, event: PaymentEvent, gateway: string): { type: string; object: object } {
  switch (event.type) {
    case "payment.processing":
      return {
        type: "checkout.session.completed",
        object: sessionOf(event.payment, gateway, { payment_status: "unpaid" }),
      };
    case "payment.paid":
      return { type: "checkout.session.completed", object: paidSessionOf(stripe, event, gateway) };
    case "payment.ended": {
      const type = `checkout.session.${event.reason === "expired" ? "expired" : "async_payment_failed"}`;
      return { type, object: sessionOf(event.payment, gateway) };
    }
    case "payment.refunded":
      return { type: "charge.refunded", object: addCharge(stripe, event, event.refunded, gateway) };
    default:
      return disputeOf(stripe, event, gateway);
  }
}

const metadataOf = (gateway: string, payment: string) => ({
  tollgate_gateway: gateway,
  tollgate_payment: payment,
  tollgate_kind: "checkout",
});

const sessionOf = (payment: string, gateway: string, more: object = {}) => ({
  ...{
    id: `cs_${payment}`,
    object: "checkout.session",
    client_reference_id: payment,
    metadata: metadataOf(gateway, payment),
  },
  ...{
    currency: "usd",
    amount_total: 1_000,
    total_details: { amount_tax: 0 },
    payment_intent: "pi_1",
    payment_status: "unpaid",
  },
  ...more,
});

function paidSessionOf({ account }: StripeServer, event: EventOf<"payment.paid">, gateway: string): object {
  const { payment, paid, receipt, method } = event;
  account.add({
    ...{ id: receipt.reference, object: "payment_intent", created: 0, livemode: event.live, metadata: {} },
    ...{
      amount: 0,
      amount_received: 0,
      currency: "usd",
      latest_charge: null,
      status: "succeeded",
      last_payment_error: null,
    },
    ...{ customer: method?.customer ?? null, payment_method: method?.method ?? null },
    setup_future_usage: method === undefined ? null : "off_session",
  });
  return sessionOf(payment, gateway, {
    currency: paid.currency.toLowerCase(),
    amount_total: Number(paid.amount + receipt.tax),
    total_details: { amount_tax: Number(receipt.tax) },
    payment_intent: receipt.reference,
    payment_status: "paid",
  });
}

function addCharge(
  { account }: StripeServer,
  {
    reference,
    charged,
    live: livemode,
  }: EventOf<"payment.refunded"> | EventOf<"dispute.opened" | "dispute.won" | "dispute.lost">,
  refunded: Money | undefined,
  gateway: string,
) {
  return account.add({
    ...{
      id: `ch_${reference.replaceAll("-", "")}`,
      object: "charge",
      created: 0,
      livemode,
      receipt_url: "https://pay.stripe.com/1",
    },
    ...{ payment_intent: reference, amount: Number(charged.amount), currency: charged.currency.toLowerCase() },
    ...{ amount_refunded: Number(refunded?.amount ?? 0), refunded: false, disputed: false },
    metadata: metadataOf(gateway, ""),
  });
}

function disputeOf(
  stripe: StripeServer,
  event: EventOf<"dispute.opened" | "dispute.won" | "dispute.lost">,
  gateway: string,
): { type: string; object: object } {
  const charge = addCharge(stripe, event, undefined, gateway);
  const isOpen = event.type === "dispute.opened";
  const { disputed } = event;
  const object = {
    ...{ id: event.dispute, object: "dispute", charge: charge.id, payment_intent: event.reference },
    ...{ amount: Number(disputed.amount), currency: disputed.currency.toLowerCase() },
    status: isOpen ? "needs_response" : event.type.slice("dispute.".length),
  };
  return { type: `charge.dispute.${isOpen ? "created" : "closed"}`, object };
}
