import type { Dispute, Payment, PaymentEvent, Receipt, TopUp } from "@tollgate/payments";
import fc from "fast-check";

// Text that both databases can store: no NUL, and no half of a surrogate pair.
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((value) => !value.includes("\0"));
const amount = fc.bigInt(0n, 2n ** 63n - 1n);
const time = fc.integer({ min: 0, max: 8_000_000_000_000 }).map((milliseconds) => new Date(milliseconds));
const money = fc.record({ amount, currency: fc.constantFrom("USD", "JPY") });
const method = fc.record({ customer: text, method: text });

const receipt: fc.Arbitrary<Receipt> = fc.record(
  { reference: text, at: time, tax: amount, invoiceUrl: text, receiptUrl: text },
  { requiredKeys: ["reference", "at", "tax"] },
);

const dispute: fc.Arbitrary<Dispute> = fc.record({
  reference: text,
  state: fc.constantFrom("open", "won", "lost"),
  amount,
  at: time,
});

/** Any payment that a store can be given, with each member that may be absent. */
export const anyPayment: fc.Arbitrary<Payment> = fc
  .record(
    {
      id: fc.uuid(),
      account: text,
      provider: text,
      live: fc.boolean(),
      kind: fc.constantFrom("checkout", "top_up"),
      savesMethod: fc.boolean(),
      product: fc.record({ id: text, price: money, credit: amount, bonus: amount }),
      createdAt: time,
      state: fc.constantFrom("pending", "open", "processing", "ended", "paid", "held"),
      checkout: fc.record({ reference: text, url: text, expiresAt: time }),
      receipt,
      method,
      refunded: amount,
      refundedAt: time,
      disputes: fc.array(dispute, { maxLength: 3 }),
      takenBack: fc.record({ credit: amount, bonus: amount }),
      postings: fc.nat(),
      problem: text,
    },
    {
      requiredKeys: [
        ...(["id", "account", "provider", "live", "kind", "savesMethod", "product", "createdAt", "state"] as const),
        ...(["refunded", "disputes", "takenBack", "postings"] as const),
      ],
    },
  )
  .map((payment) => {
    const { product, takenBack } = payment;
    const within = (part: bigint, whole: bigint) => (part > whole ? whole : part);
    const credit = within(takenBack.credit, product.credit);
    return { ...payment, takenBack: { credit, bonus: within(takenBack.bonus, product.bonus) } };
  });

/** Any automatic top-up. */
export const anyTopUp: fc.Arbitrary<TopUp> = fc.record(
  {
    id: fc.uuid(),
    account: text,
    product: text,
    below: amount,
    maxPerDay: fc.nat(),
    method,
    stopped: fc.record({ at: time, reason: text }),
  },
  { requiredKeys: ["id", "account", "product", "below", "maxPerDay", "method"] },
);

const common = { id: fc.uuid(), provider: text, live: fc.boolean(), at: time };

/** Any event of a payment. */
export const anyEvent: fc.Arbitrary<PaymentEvent> = fc.oneof(
  fc.record({ ...common, type: fc.constant("payment.processing" as const), payment: text }),
  fc.record(
    { ...common, type: fc.constant("payment.paid" as const), payment: text, paid: money, receipt, method },
    { requiredKeys: ["id", "provider", "live", "at", "type", "payment", "paid", "receipt"] },
  ),
  fc.record(
    {
      ...common,
      type: fc.constant("payment.ended" as const),
      payment: text,
      reason: fc.constantFrom("expired", "failed"),
      message: text,
    },
    { requiredKeys: ["id", "provider", "live", "at", "type", "payment", "reason"] },
  ),
  fc.record({
    ...common,
    type: fc.constant("payment.refunded" as const),
    reference: text,
    refunded: money,
    charged: money,
  }),
  fc.record({
    ...common,
    type: fc.constantFrom("dispute.opened", "dispute.won", "dispute.lost"),
    reference: text,
    dispute: text,
    disputed: money,
    charged: money,
  }),
);
