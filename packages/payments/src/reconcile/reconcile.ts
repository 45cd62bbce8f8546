import type { ProviderMovement } from "../payment-provider.ts";
import { compareWindow } from "./compare-window.ts";
import type { Found } from "./difference.ts";
import { findCreditsWithoutPayment } from "./find-credits-without-payment.ts";
import type { ReconcileOptions } from "./reconcile-options.ts";
import { compareReturns, Returns } from "./returns.ts";

/** What was compared. */
export interface Reconciliation {
  readonly movements: number;
  readonly payments: number;
  readonly credits: number;
  readonly differences: number;
}

/** The provider may tell of a payment some time before or after it moves the money. */
const marginMs = 86_400_000;
const windowMs = 7 * 86_400_000;

/**
 * Compares what the provider moved in a time range with the payments, and both with the ledger, and tells each difference. It
 * keeps the references of nine days and of all payments that were refunded or disputed in memory. Run it for a range that ended
 * at least an hour ago, so that all notifications have come. Rejects if the provider or a store is unavailable.
 */
export async function reconcile(options: ReconcileOptions): Promise<Reconciliation> {
  const { from, onDifference } = options;
  const to = new Date(Math.min(+options.to, Date.now() + marginMs));
  const totals = { movements: 0, payments: 0, credits: 0, differences: 0 };
  const found: Found = (difference) => {
    totals.differences += 1;
    onDifference(difference);
  };
  const returns = new Returns();
  for (let start = from; start < to; start = later(start, windowMs)) {
    const end = new Date(Math.min(+to, +start + windowMs));
    const received = new Map<string, ProviderMovement[]>();
    const around = { from: later(start, -marginMs), to: later(end, marginMs) };
    for await (const movement of options.provider.movements(around)) {
      const isInside = movement.at >= start && movement.at < end;
      if (isInside) totals.movements += 1;
      if (movement.type === "payment") {
        received.set(movement.reference, [...(received.get(movement.reference) ?? []), movement]);
      } else if (isInside) returns.add(movement);
    }
    totals.payments += await compareWindow(options, { start, end, received, returns, found });
  }
  await compareReturns(options, returns, found);
  totals.credits = await findCreditsWithoutPayment(options, found);
  return totals;
}

const later = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds);
