import type { Change, EventRules } from "./change.ts";
import { moneyWithCurrency } from "./money-text.ts";
import type { Dispute, Money, Payment } from "./payment.ts";
import type { PaymentEvent } from "./payment-event.ts";
import { takeBack } from "./take-back.ts";

type EventOf<Type extends PaymentEvent["type"]> = Extract<PaymentEvent, { type: Type }>;

/**
 * Decides what an event changes: a pure function, by which every store applies events. The event is about the payment. Credit and
 * bonus are those that were written; the event says only whether the amount fits.
 */
export function applyEvent(payment: Payment, event: PaymentEvent, rules: EventRules): Change {
  if (event.provider !== payment.provider || event.live !== payment.live) return { outcome: "mismatch" };
  switch (event.type) {
    case "payment.processing":
      return isOpen(payment) ? applied({ ...payment, state: "processing" }) : repeated;
    case "payment.ended":
      return end(payment, event);
    case "payment.paid":
      return pay(payment, event);
    case "payment.refunded":
      return refund(payment, event, rules);
    default:
      return dispute(payment, event, rules);
  }
}

const repeated = Object.freeze({ outcome: "repeated" } as const);

const applied = (payment: Payment): Change => ({ outcome: "applied", payment });

const isOpen = ({ state }: Payment): boolean => state === "pending" || state === "open";

function end(payment: Payment, { reason, message }: EventOf<"payment.ended">): Change {
  const ends = isOpen(payment) || (payment.state === "processing" && reason === "failed");
  if (!ends) return repeated;
  const ended: Payment = { ...payment, state: "ended" };
  if (payment.kind === "checkout") return applied(ended);
  return { outcome: "applied", payment: ended, stopTopUp: message ?? "The payment was not made." };
}

function pay(payment: Payment, event: EventOf<"payment.paid">): Change {
  const { paid, receipt, method } = event;
  if (payment.receipt !== undefined) {
    if (payment.receipt.reference === receipt.reference) return repeated;
    return flag(payment, `It was paid a second time, as ${receipt.reference}. Refund that payment at the provider.`);
  }
  if (payment.state === "held") return repeated;
  const { price } = payment.product;
  if (!isSameMoney(paid, price)) {
    const problem = `The provider received ${moneyWithCurrency(paid)} in place of ${moneyWithCurrency(price)}. Nothing was credited: refund it at the provider.`;
    return applied({ ...payment, state: "held", receipt, problem });
  }
  return credit({ ...payment, state: "paid", receipt, ...(method === undefined ? {} : { method }) }, payment);
}

/** Posts the credit and the bonus of a payment. `before` is the payment without its receipt. */
function credit(payment: Payment, before: Payment): Change {
  const { account, product, receipt } = payment;
  const id = `payment:${receipt?.reference}`;
  const reason = `Payment of "${product.id}"`;
  return {
    outcome: "post",
    ledger: { verb: "credit", posting: { id, account, amount: product.credit, reason, kind: "paid" } },
    next(result) {
      if (result.outcome !== "conflict") return bonus(payment, id);
      const problem = `The ledger has another posting "${id}". Nothing was credited: see whether the payment was credited before.`;
      return applied({ ...before, state: "held", problem });
    },
  };
}

function bonus(payment: Payment, creditId: string): Change {
  const { account, product } = payment;
  if (product.bonus === 0n) return applied(payment);
  const id = `${creditId}:bonus`;
  const reason = `Bonus of "${product.id}"`;
  return {
    outcome: "post",
    ledger: { verb: "credit", posting: { id, account, amount: product.bonus, reason, kind: "granted" } },
    next(result) {
      if (result.outcome !== "conflict") return applied(payment);
      return applied({
        ...payment,
        problem: `The ledger has another posting "${id}", so that the bonus was not credited.`,
      });
    },
  };
}

function refund(payment: Payment, event: EventOf<"payment.refunded">, rules: EventRules): Change {
  const { receipt, refundedAt } = payment;
  if (receipt === undefined) return { outcome: "waiting" };
  const { refunded, charged, at } = event;
  const total = refunded.amount;
  const isOlder = refundedAt !== undefined && (at < refundedAt || (+at === +refundedAt && total <= payment.refunded));
  if (isOlder) return repeated;
  const known: Payment = { ...payment, refunded: total, refundedAt: at };
  if (payment.state !== "paid") return applied(total >= charged.amount ? settled(known) : known);
  const problem = chargeProblem(payment, charged);
  if (problem !== undefined) return flag(payment, problem);
  return takeBack(payment, known, rules, "Refund");
}

const disputeStates = { "dispute.opened": "open", "dispute.won": "won", "dispute.lost": "lost" } as const;

function dispute(
  payment: Payment,
  event: EventOf<"dispute.opened" | "dispute.won" | "dispute.lost">,
  rules: EventRules,
): Change {
  if (payment.receipt === undefined) return { outcome: "waiting" };
  const { dispute: reference, at, disputed, charged } = event;
  const told: Dispute = { reference, state: disputeStates[event.type], amount: disputed.amount, at };
  const earlier = payment.disputes.find((each) => each.reference === reference);
  if (earlier !== undefined && !isNewer(told, earlier)) return repeated;
  const others = payment.disputes.filter((each) => each !== earlier);
  const known: Payment = { ...payment, disputes: [...others, told] };
  if (payment.state !== "paid") return applied(known);
  const problem = chargeProblem(payment, charged);
  if (problem !== undefined) return flag(payment, problem);
  return takeBack(payment, known, rules, told.state === "won" ? "Dispute won" : "Dispute");
}

/** A bank may decide a dispute anew. Clocks of providers count seconds, so that a dispute can open and close in one. */
const isNewer = (told: Dispute, known: Dispute): boolean =>
  told.at > known.at || (+told.at === +known.at && known.state === "open" && told.state !== "open");

/** A held payment that the operator has refunded needs nobody any more. */
function settled({ problem: _, ...payment }: Payment): Payment {
  return { ...payment, state: "ended" };
}

/** Returns why a refund or dispute is not of what was paid. */
function chargeProblem({ product, receipt }: Payment, charged: Money): string | undefined {
  const { price } = product;
  const expected = { amount: price.amount + (receipt?.tax ?? 0n), currency: price.currency };
  if (isSameMoney(charged, expected)) return undefined;
  return `A refund or dispute is of ${moneyWithCurrency(charged)}, and the customer paid ${moneyWithCurrency(expected)}. Nothing was taken back: correct the balance.`;
}

/** Records a problem, and nothing else. */
const flag = (payment: Payment, problem: string): Change =>
  payment.problem === problem ? repeated : applied({ ...payment, problem });

const isSameMoney = (one: Money, other: Money): boolean =>
  one.amount === other.amount && one.currency === other.currency;
