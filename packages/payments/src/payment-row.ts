import type { StoredRow } from "@tollgate/core/internal";
import type { Column } from "./column.ts";
import { type Dispute, type Payment, paymentStates } from "./payment.ts";

/** The columns of a payment in a SQL store. */
export const paymentColumns: readonly Column<Payment>[] = [
  { name: "id", kind: "text", of: ({ id }) => id },
  { name: "account", kind: "text", of: ({ account }) => account },
  { name: "provider", kind: "text", of: ({ provider }) => provider },
  { name: "live", kind: "flag", of: ({ live }) => live },
  { name: "kind", kind: "text", of: ({ kind }) => kind },
  { name: "saves_method", kind: "flag", of: ({ savesMethod }) => savesMethod },
  { name: "product", kind: "text", of: ({ product }) => product.id },
  { name: "price", kind: "integer", of: ({ product }) => product.price.amount },
  { name: "currency", kind: "text", of: ({ product }) => product.price.currency },
  { name: "credit", kind: "integer", of: ({ product }) => product.credit },
  { name: "bonus", kind: "integer", of: ({ product }) => product.bonus },
  { name: "created_at", kind: "time", of: ({ createdAt }) => createdAt },
  { name: "state", kind: "text", of: ({ state }) => state },
  { name: "checkout", kind: "text", of: ({ checkout }) => checkout?.reference },
  { name: "checkout_url", kind: "text", of: ({ checkout }) => checkout?.url },
  { name: "checkout_expires_at", kind: "time", of: ({ checkout }) => checkout?.expiresAt },
  { name: "reference", kind: "text", of: ({ receipt }) => receipt?.reference },
  { name: "paid_at", kind: "time", of: ({ receipt }) => receipt?.at },
  { name: "tax", kind: "integer", of: ({ receipt }) => receipt?.tax },
  { name: "invoice_url", kind: "text", of: ({ receipt }) => receipt?.invoiceUrl },
  { name: "receipt_url", kind: "text", of: ({ receipt }) => receipt?.receiptUrl },
  { name: "customer", kind: "text", of: ({ method }) => method?.customer },
  { name: "method", kind: "text", of: ({ method }) => method?.method },
  { name: "refunded", kind: "integer", of: ({ refunded }) => refunded },
  { name: "refunded_at", kind: "time", of: ({ refundedAt }) => refundedAt },
  { name: "taken_credit", kind: "integer", of: ({ takenBack }) => takenBack.credit },
  { name: "taken_bonus", kind: "integer", of: ({ takenBack }) => takenBack.bonus },
  { name: "disputes", kind: "text", of: ({ disputes }) => writeDisputes(disputes) },
  { name: "postings", kind: "integer", of: ({ postings }) => BigInt(postings) },
  { name: "problem", kind: "text", of: ({ problem }) => problem },
];

/** Reads the {@link paymentColumns} of a row. */
export function readPayment(row: StoredRow): Payment {
  const [refundedAt, problem] = [row.optionalTime("refunded_at"), row.optionalText("problem")];
  return {
    id: row.text("id"),
    account: row.text("account"),
    provider: row.text("provider"),
    live: row.optionalFlag("live") === true,
    kind: row.oneOf("kind", paymentKinds),
    savesMethod: row.optionalFlag("saves_method") === true,
    product: {
      id: row.text("product"),
      price: { amount: row.integer("price"), currency: row.text("currency") },
      credit: row.integer("credit"),
      bonus: row.integer("bonus"),
    },
    createdAt: row.time("created_at"),
    state: row.oneOf("state", paymentStates),
    ...readCheckout(row),
    ...readReceipt(row),
    ...readMethod(row),
    refunded: row.integer("refunded"),
    ...(refundedAt === undefined ? {} : { refundedAt }),
    takenBack: { credit: row.integer("taken_credit"), bonus: row.integer("taken_bonus") },
    disputes: readDisputes(row.text("disputes")),
    postings: Number(row.integer("postings")),
    ...(problem === undefined ? {} : { problem }),
  };
}

function readCheckout(row: StoredRow): Pick<Payment, "checkout"> {
  const reference = row.optionalText("checkout");
  if (reference === undefined) return {};
  return { checkout: { reference, url: row.text("checkout_url"), expiresAt: row.time("checkout_expires_at") } };
}

function readReceipt(row: StoredRow): Pick<Payment, "receipt"> {
  const reference = row.optionalText("reference");
  if (reference === undefined) return {};
  const [invoiceUrl, receiptUrl] = [row.optionalText("invoice_url"), row.optionalText("receipt_url")];
  const pages = {
    ...(invoiceUrl === undefined ? {} : { invoiceUrl }),
    ...(receiptUrl === undefined ? {} : { receiptUrl }),
  };
  return { receipt: { reference, at: row.time("paid_at"), tax: row.integer("tax"), ...pages } };
}

function readMethod(row: StoredRow): Pick<Payment, "method"> {
  const method = row.optionalText("method");
  return method === undefined ? {} : { method: { customer: row.text("customer"), method } };
}

const paymentKinds: readonly Payment["kind"][] = ["checkout", "top_up"];

/** A {@link Dispute} in the column `disputes`. */
type StoredDispute = Omit<Dispute, "amount" | "at"> & { readonly amount: string; readonly at: string };

const writeDisputes = (disputes: readonly Dispute[]): string =>
  JSON.stringify(
    disputes.map(
      (dispute): StoredDispute => ({ ...dispute, amount: String(dispute.amount), at: dispute.at.toISOString() }),
    ),
  );

function readDisputes(json: string): readonly Dispute[] {
  const stored: readonly StoredDispute[] = JSON.parse(json);
  return stored.map((dispute) => ({ ...dispute, amount: BigInt(dispute.amount), at: new Date(dispute.at) }));
}
