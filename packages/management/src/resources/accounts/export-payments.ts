import { formatAmount } from "@tollgate/core";
import { type OperationContext, usagePatienceMs } from "../../operations/context.ts";
import type { Lines } from "../../operations/exports.ts";
import type { PaymentRecord, TopUpRecord } from "../../operations/payment-records.ts";
import { readPages } from "../../operations/read-pages.ts";

/** The payments of an account, newest first, and its automatic top-up. */
export async function* paymentLines({ stores: { payments }, ask }: OperationContext, account: string): Lines {
  if (payments === undefined) return undefined;
  const pages = readPages(async (after: string | undefined) => {
    const query = { account, limit: 200, ...(after === undefined ? {} : { after }) };
    const { payments: items, next } = await ask(() => payments.list(query), usagePatienceMs);
    return { items, next };
  });
  for await (const found of pages) yield found.map(lineOfPayment);
  const topUp = await ask(() => payments.topUp(account));
  if (topUp !== undefined) yield [lineOfTopUp(topUp)];
  return undefined;
}

/** Amounts of the provider are in minor units of the currency of the price. */
const lineOfPayment = ({ product, receipt, checkout, takenBack, ...payment }: PaymentRecord) => ({
  type: "payment",
  id: payment.id,
  provider: payment.provider,
  live: payment.live,
  kind: payment.kind,
  state: payment.state,
  created_at: payment.createdAt.toISOString(),
  saves_method: payment.savesMethod,
  product: product.id,
  price: { amount: String(product.price.amount), currency: product.price.currency },
  credit: formatAmount(product.credit),
  bonus: formatAmount(product.bonus),
  checkout:
    checkout === undefined
      ? null
      : { reference: checkout.reference, url: checkout.url, expires_at: checkout.expiresAt.toISOString() },
  receipt: receipt === undefined ? null : shownReceipt(receipt),
  method: payment.method ?? null,
  refunded: String(payment.refunded),
  refunded_at: payment.refundedAt?.toISOString() ?? null,
  disputes: payment.disputes.map(({ reference, state, amount, at }) => ({
    ...{ reference, state, amount: String(amount), at: at.toISOString() },
  })),
  taken_back: { credit: formatAmount(takenBack.credit), bonus: formatAmount(takenBack.bonus) },
  problem: payment.problem ?? null,
});

const shownReceipt = ({ reference, at, tax, invoiceUrl, receiptUrl }: NonNullable<PaymentRecord["receipt"]>) => ({
  ...{ reference, at: at.toISOString(), tax: String(tax) },
  invoice_url: invoiceUrl ?? null,
  receipt_url: receiptUrl ?? null,
});

const lineOfTopUp = ({ product, below, maxPerDay, method, stopped }: TopUpRecord) => ({
  type: "top_up",
  product,
  below: formatAmount(below),
  max_per_day: maxPerDay,
  method,
  stopped: stopped === undefined ? null : { at: stopped.at.toISOString(), reason: stopped.reason },
});
