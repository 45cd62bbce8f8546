import type { NewPayment, Payment } from "./payment.ts";
import { type BeginResult, pendingMs } from "./payment-store.ts";

/**
 * Decides whether a payment begins: a pure function, by which every store begins payments. `unfinished` are the payments of the
 * account that are pending, open or processing. The store has looked for the id before.
 */
export function beginPayment(
  wanted: NewPayment,
  unfinished: readonly Payment[],
  { maxOpen, now }: { readonly maxOpen: number; readonly now: Date },
): BeginResult {
  const sameKind = unfinished.filter(({ kind }) => kind === wanted.kind);
  const current = wanted.kind === "top_up" ? sameKind : sameKind.filter((payment) => isCurrent(payment, now));
  const reused = current.find((payment) => wanted.kind === "top_up" || isSame(payment, wanted));
  if (reused !== undefined) return { outcome: "reused", payment: reused };
  if (wanted.kind === "checkout" && current.length >= maxOpen) return { outcome: "too_many" };
  return { outcome: "begun", payment: newPayment(wanted, now) };
}

/** A checkout that its customer can still pay. */
function isCurrent({ state, createdAt, checkout }: Payment, now: Date): boolean {
  if (state === "pending") return now.getTime() - createdAt.getTime() < pendingMs;
  return state === "open" && checkout !== undefined && checkout.expiresAt > now;
}

/** The provider has forgotten no pending payment, so that asking again for the same makes no second page. */
function isSame(payment: Payment, wanted: NewPayment): boolean {
  return payment.state === "pending" && contentOf(payment) === contentOf(wanted);
}

function contentOf({ provider, live, savesMethod, product }: NewPayment): string {
  const { id, price, credit, bonus } = product;
  return JSON.stringify([provider, live, savesMethod, id, price.currency, `${price.amount}`, `${credit}`, `${bonus}`]);
}

function newPayment(wanted: NewPayment, createdAt: Date): Payment {
  const { id, account, provider, live, kind, savesMethod, product } = wanted;
  return {
    ...{ id, account, provider, live, kind, savesMethod, product },
    createdAt,
    state: "pending",
    refunded: 0n,
    disputes: [],
    takenBack: { credit: 0n, bonus: 0n },
    postings: 0,
  };
}
