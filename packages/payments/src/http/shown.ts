import { formatAmount } from "@tollgate/core";
import { moneyText } from "../money-text.ts";
import type { Money, Payment, Product } from "../payment.ts";
import type { TopUp } from "../top-up.ts";

/** Returns a product as customers see it. */
export const showProduct = ({ id, price, credit, bonus }: Product) => ({
  id,
  price: showMoney(price),
  credit: formatAmount(credit),
  bonus: formatAmount(bonus),
});

/** Returns a payment as its customer sees it. */
export const showPayment = ({ product, receipt, checkout, ...payment }: Payment) => {
  const { currency } = product.price;
  return {
    id: payment.id,
    kind: payment.kind,
    state: payment.state,
    created_at: payment.createdAt.toISOString(),
    paid_at: receipt?.at.toISOString() ?? null,
    product: product.id,
    price: showMoney(product.price),
    tax: receipt === undefined ? null : showMoney({ amount: receipt.tax, currency }),
    credit: formatAmount(product.credit),
    bonus: formatAmount(product.bonus),
    refunded: showMoney({ amount: payment.refunded, currency }),
    taken_back: formatAmount(payment.takenBack.credit + payment.takenBack.bonus),
    disputes: payment.disputes.map(({ state, amount }) => ({ state, amount: showMoney({ amount, currency }) })),
    checkout_url: payment.state === "open" ? (checkout?.url ?? null) : null,
    invoice_url: receipt?.invoiceUrl ?? null,
    receipt_url: receipt?.receiptUrl ?? null,
  };
};

/** Returns an automatic top-up as its customer sees it. */
export const showTopUp = ({ product, below, maxPerDay, stopped }: TopUp) => ({
  product,
  below: formatAmount(below),
  max_per_day: maxPerDay,
  stopped: stopped === undefined ? null : { at: stopped.at.toISOString(), reason: stopped.reason },
});

const showMoney = (money: Money) => ({ amount: moneyText(money), currency: money.currency });
