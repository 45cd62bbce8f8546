import type { Payment } from "./payment.ts";

/**
 * Returns a payment without the page on which it is paid, the saved payment method, and the pages of its invoice and receipt; the
 * payment itself if it has none of them. Amounts, times and the provider's reference stay, for the ledger and for refunds.
 */
export function forgottenPayment(payment: Payment): Payment {
  const { checkout, method, receipt, ...rest } = payment;
  const hasPages = receipt?.invoiceUrl !== undefined || receipt?.receiptUrl !== undefined;
  if (checkout === undefined && method === undefined && !hasPages) return payment;
  if (receipt === undefined) return rest;
  const { reference, at, tax } = receipt;
  return { ...rest, receipt: { reference, at, tax } };
}

/** The columns of a SQL store that {@link forgottenPayment} empties. */
export const forgottenColumns: readonly string[] = [
  ...["checkout", "checkout_url", "checkout_expires_at"],
  ...["invoice_url", "receipt_url", "customer", "method"],
];
