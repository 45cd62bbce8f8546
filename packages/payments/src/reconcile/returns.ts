import { moneyWithCurrency } from "../money-text.ts";
import type { Payment } from "../payment.ts";
import type { ProviderMovement } from "../payment-provider.ts";
import type { Found } from "./difference.ts";
import type { ReconcileOptions } from "./reconcile-options.ts";

/** What the provider returned of a payment, in minor units. */
interface Returned {
  readonly refunds: bigint;
  readonly disputes: bigint;
}

const nothing: Returned = { refunds: 0n, disputes: 0n };

/** What the provider returned in the time range, of the payments for which it did or should have. */
export class Returns {
  readonly #byReference = new Map<string, Returned>();

  /** Counts a refund, a dispute, or its reversal. */
  add({ type, reference, amount }: ProviderMovement): void {
    const { refunds, disputes } = this.#byReference.get(reference) ?? nothing;
    const after =
      type === "refund"
        ? { refunds: refunds - amount.amount, disputes }
        : { refunds, disputes: disputes - amount.amount };
    this.#byReference.set(reference, after);
  }

  /** Notes a payment of which something was returned, so that it is compared also if the provider has no movement. */
  expect({ receipt, refunded, disputes }: Payment): void {
    if (receipt === undefined || (refunded === 0n && disputes.length === 0)) return;
    if (!this.#byReference.has(receipt.reference)) this.#byReference.set(receipt.reference, nothing);
  }

  all(): Iterable<readonly [string, Returned]> {
    return this.#byReference;
  }
}

/** Compares what the provider returned with what the payments say. */
export async function compareReturns(options: ReconcileOptions, returns: Returns, found: Found): Promise<void> {
  const { store, provider } = options;
  for (const [reference, returned] of returns.all()) {
    const payment = await store.find({ provider: provider.name, reference });
    if (payment === undefined) {
      const sentence = `The provider returned money of ${reference}, which is no payment of this gateway.`;
      found({ kind: "not_a_payment", reference, sentence });
    } else compareReturned(options, payment, returned, found);
  }
}

/** All that was returned of a payment is in the range only if the payment is, and the last return. */
function compareReturned({ from, to }: ReconcileOptions, payment: Payment, returned: Returned, found: Found): void {
  const { id, account, receipt, refunded, refundedAt, disputes, product } = payment;
  const reference = receipt?.reference ?? "";
  const isWhole =
    receipt !== undefined &&
    receipt.at >= from &&
    (refundedAt === undefined || refundedAt < to) &&
    disputes.every(({ at }) => at < to);
  const disputed = disputes.reduce((sum, { state, amount }) => (state === "won" ? sum : sum + amount), 0n);
  const isSame = isWhole
    ? returned.refunds === refunded && returned.disputes === disputed
    : returned.refunds <= refunded && returned.disputes <= disputed;
  if (isSame) return;
  const shown = (amount: bigint) => moneyWithCurrency({ amount, currency: product.price.currency });
  const sentence = `The provider returned ${shown(returned.refunds)} by refunds and ${shown(returned.disputes)} by disputes of ${reference}, and the payment ${id} has ${shown(refunded)} and ${shown(disputed)}.`;
  found({ kind: "returned_otherwise", reference, payment: id, account, sentence });
}
