import type { ProviderMovement } from "@tollgate/payments";
import * as v from "valibot";
import { readCharge, retrieveCharge } from "./charge.ts";
import type { CheckedOptions } from "./provider-options.ts";
import { patientRequest } from "./request-settings.ts";
import { fromStripeAmount } from "./stripe-amount.ts";
import { readFailure, unavailable } from "./stripe-failure.ts";
import { objectId, timestamp, wholeAmount } from "./stripe-values.ts";

/** The categories that are about payments; fees, payouts and others are not. https://docs.stripe.com/reports/reporting-categories */
const categories = {
  charge: "payment",
  charge_failure: "refund",
  refund: "refund",
  refund_failure: "refund",
  dispute: "dispute",
  dispute_reversal: "dispute_reversal",
} as const;

const transactionSchema = v.object({
  id: v.string(),
  amount: wholeAmount,
  currency: v.string(),
  created: timestamp,
  reporting_category: v.string(),
  source: v.unknown(),
});
type Transaction = v.InferOutput<typeof transactionSchema>;

/** A charge, a refund or a dispute. The latter two name their charge. */
const sourceSchema = v.object({
  amount: wholeAmount,
  currency: v.string(),
  charge: v.optional(v.nullable(objectId)),
});

/**
 * Reads the balance transactions of a time range, `to` excluded, that are about payments of this gateway. Throws a
 * `ProviderUnavailable` if Stripe does not answer. https://docs.stripe.com/api/balance_transactions/list
 */
export async function* readMovements(
  options: CheckedOptions,
  { from, to }: { readonly from: Date; readonly to: Date },
): AsyncGenerator<ProviderMovement> {
  const created = { gte: seconds(from), lt: seconds(to) };
  const list = options.stripe.balanceTransactions.list(
    { created, limit: 100, expand: ["data.source"] },
    patientRequest(options),
  );
  try {
    for await (const item of list) {
      const movement = await toMovement(options, v.parse(transactionSchema, item));
      if (movement !== undefined) yield movement;
    }
  } catch (error) {
    throw unavailable(readFailure(error));
  }
}

async function toMovement(options: CheckedOptions, transaction: Transaction): Promise<ProviderMovement | undefined> {
  const { id, created: at, reporting_category: category } = transaction;
  if (!isPaymentCategory(category)) return undefined;
  const source = v.safeParse(sourceSchema, transaction.source);
  if (!source.success) return undefined;
  const { charge: chargeId } = source.output;
  const charge =
    typeof chargeId === "string"
      ? await retrieveCharge(options, chargeId)
      : readCharge(transaction.source, options.gateway);
  if (charge === undefined) return undefined;
  const amount = amountOf(transaction, source.output);
  return { id, type: categories[category], reference: charge.reference, amount, at };
}

/** A transaction is in the currency of the Stripe account, which may differ from that of the charge. Its source has the latter. */
function amountOf(transaction: Transaction, source: v.InferOutput<typeof sourceSchema>) {
  if (transaction.currency === source.currency) return fromStripeAmount(transaction.amount, transaction.currency);
  return fromStripeAmount(transaction.amount < 0 ? -source.amount : source.amount, source.currency);
}

const isPaymentCategory = (category: string): category is keyof typeof categories =>
  Object.hasOwn(categories, category);

/** The first whole second that is not before a time. */
const seconds = (time: Date): number => Math.ceil(time.getTime() / 1_000);
