import { createHmac, timingSafeEqual } from "node:crypto";
import type { PaymentEvent, ReadEvent } from "@tollgate/payments";
import * as v from "valibot";

const toleranceMs = 300_000;

const text = v.pipe(v.string(), v.nonEmpty());
const time = v.pipe(v.string(), v.isoTimestamp(), v.toDate());
const units = v.pipe(v.string(), v.regex(/^\d+$/), v.toBigint());
const money = v.object({ amount: units, currency: text });
const common = { id: text, shop: text, live: v.boolean(), at: time };
const ofCharge = { reference: text, charged: money };

const notification = v.variant("type", [
  v.object({ ...common, type: v.literal("payment.processing"), payment: text }),
  v.object({
    ...common,
    type: v.literal("payment.paid"),
    payment: text,
    paid: money,
    receipt: v.object({ reference: text, at: time, tax: units }),
    method: v.exactOptional(v.object({ customer: text, method: text })),
  }),
  v.object({ ...common, type: v.literal("payment.ended"), payment: text, reason: v.picklist(["expired", "failed"]) }),
  v.object({ ...common, type: v.literal("payment.refunded"), ...ofCharge, refunded: money }),
  v.object({
    ...common,
    type: v.picklist(["dispute.opened", "dispute.won", "dispute.lost"]),
    ...ofCharge,
    dispute: text,
    disputed: money,
  }),
]);

/** Verifies a notification of Acme Pay, whose signature is `t=<seconds>,v1=<HMAC-SHA-256 of "seconds.body">`, and reads it. */
export function readNotification(
  body: Uint8Array,
  signature: string | undefined,
  { signingSecret, shop }: { readonly signingSecret: string; readonly shop: string },
): ReadEvent {
  const [, seconds = "", code = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  const expected = createHmac("sha256", signingSecret).update(`${seconds}.`).update(body).digest();
  if (code === "" || !timingSafeEqual(expected, Buffer.from(code, "hex"))) {
    return { outcome: "refused", problem: "The signature is not that of Acme Pay. Check `signingSecret`." };
  }
  if (Math.abs(Date.now() - Number(seconds) * 1_000) > toleranceMs) {
    return { outcome: "refused", problem: "The notification was signed more than five minutes ago. Check the clock." };
  }
  const read = v.safeParse(notification, parse(body));
  if (!read.success)
    return { outcome: "refused", problem: "The notification has another form than Acme Pay documents." };
  const { shop: of, ...event } = read.output;
  return of === shop
    ? { outcome: "event", event: { ...event, provider: "acme-pay" } satisfies PaymentEvent }
    : { outcome: "ignored" };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
