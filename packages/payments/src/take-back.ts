import type { Change, EventRules } from "./change.ts";
import type { Payment, Shares } from "./payment.ts";

/**
 * Returns what refunds and disputes of a payment take back: of credit and bonus the same share as of what the customer paid,
 * rounded down to nano-units. All refunds and all disputes that are open or lost count together, at most the whole payment.
 */
export function dueBack({ product, receipt, refunded, disputes, state }: Payment): Shares {
  const charged = product.price.amount + (receipt?.tax ?? 0n);
  if (state !== "paid" || charged <= 0n) return { credit: 0n, bonus: 0n };
  const disputed = disputes.reduce((sum, { state, amount }) => (state === "won" ? sum : sum + amount), 0n);
  const returned = least(refunded + disputed, charged);
  return { credit: (product.credit * returned) / charged, bonus: (product.bonus * returned) / charged };
}

/**
 * Posts the difference between what was due of a payment before and what is due now. What could not be taken is not tried again.
 * What is given back is what was taken above what is due, as after a dispute that was won.
 */
export function takeBack(before: Payment, now: Payment, rules: EventRules, reason: string): Change {
  const [was, is] = [dueBack(before), dueBack(now)];
  const asked = { credit: above(is.credit, was.credit), bonus: above(is.bonus, was.bonus) };
  const { takenBack } = now;
  const given = { credit: above(takenBack.credit, is.credit), bonus: above(takenBack.bonus, is.bonus) };
  return asked.credit + asked.bonus > 0n ? takePaid(now, asked, rules, reason) : give(now, given, reason);
}

/** Takes from paid money first, so that it counts as returned to the customer. */
function takePaid(payment: Payment, asked: Shares, rules: EventRules, reason: string): Change {
  if (asked.credit === 0n) return takeRest(payment, asked, rules.refundsBelowZero ? asked.bonus : 0n, reason);
  const { id, numbered } = nextPosting(payment);
  const posting = {
    id,
    account: payment.account,
    amount: asked.credit,
    reason: reasonOf(payment, reason),
    from: "paid",
  } as const;
  return {
    outcome: "post",
    ledger: { verb: "debit", posting },
    next(result) {
      if (result.outcome === "conflict") return conflicting(payment, id);
      const missing = asked.credit - result.amount;
      const left = above(result.balance.posted, 0n);
      const taken = taking(numbered, { credit: result.amount, bonus: 0n });
      if (rules.refundsBelowZero)
        return takeRest(taken, { credit: missing, bonus: asked.bonus }, missing + asked.bonus, reason);
      return takeRest(taken, { credit: 0n, bonus: asked.bonus }, least(asked.bonus, left), reason);
    },
  };
}

/** Takes an amount from whatever money the account has: the credit of `asked`, and the bonus as far as the amount reaches. */
function takeRest(payment: Payment, asked: Shares, amount: bigint, reason: string): Change {
  if (amount === 0n) return { outcome: "applied", payment };
  const { id, numbered } = nextPosting(payment);
  const posting = { id, account: payment.account, amount, reason: reasonOf(payment, reason) };
  return {
    outcome: "post",
    ledger: { verb: "debit", posting },
    next: (result) =>
      result.outcome === "conflict"
        ? conflicting(payment, id)
        : { outcome: "applied", payment: taking(numbered, { credit: asked.credit, bonus: amount - asked.credit }) },
  };
}

/** Gives back what is above the due: first the credit, then the bonus. */
function give(payment: Payment, given: Shares, reason: string): Change {
  const part = given.credit > 0n ? "credit" : "bonus";
  const amount = given[part];
  if (amount === 0n) return { outcome: "applied", payment };
  const { id, numbered } = nextPosting(payment);
  const kind = part === "credit" ? "paid" : "granted";
  const posting = { id, account: payment.account, amount, reason: reasonOf(payment, reason), kind } as const;
  return {
    outcome: "post",
    ledger: { verb: "credit", posting },
    next: (result) =>
      result.outcome === "conflict"
        ? conflicting(payment, id)
        : give(taking(numbered, { credit: 0n, bonus: 0n, [part]: -amount }), { ...given, [part]: 0n }, reason),
  };
}

function nextPosting(payment: Payment): { readonly id: string; readonly numbered: Payment } {
  const postings = payment.postings + 1;
  return { id: `payment:${payment.receipt?.reference}:${postings}`, numbered: { ...payment, postings } };
}

const taking = (payment: Payment, { credit, bonus }: Shares): Payment => ({
  ...payment,
  takenBack: { credit: payment.takenBack.credit + credit, bonus: payment.takenBack.bonus + bonus },
});

const conflicting = (payment: Payment, id: string): Change => ({
  outcome: "applied",
  payment: {
    ...payment,
    problem: `The ledger has another posting "${id}", so that the balance was not changed: correct it.`,
  },
});

const reasonOf = ({ product }: Payment, reason: string): string => `${reason} of "${product.id}"`;

/** Returns how much an amount is above another; zero if it is not. */
const above = (amount: bigint, other: bigint): bigint => (amount > other ? amount - other : 0n);

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
