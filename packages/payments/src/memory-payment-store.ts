import type { MemoryBalanceStore } from "@tollgate/core";
import { optionMembers, port, requireOptions } from "@tollgate/core/internal";
import { applyEvent } from "./apply-event.ts";
import { beginPayment } from "./begin-payment.ts";
import type { Change, EventRules, LedgerPosting } from "./change.ts";
import { forgottenPayment } from "./forgotten-payment.ts";
import type { Checkout, NewPayment, Payment, SavedMethod } from "./payment.ts";
import type { PaymentEvent } from "./payment-event.ts";
import type {
  ApplyResult,
  BeginResult,
  PaymentPage,
  PaymentQuery,
  PaymentStore,
  WaitingEvent,
} from "./payment-store.ts";
import { type Subject, subjectOf } from "./subject.ts";
import type { DueTopUp, NewTopUp, TopUp } from "./top-up.ts";

/** A PaymentStore whose methods are synchronous. */
export type MemoryPaymentStore = {
  [Verb in keyof PaymentStore]: (...args: Parameters<PaymentStore[Verb]>) => Awaited<ReturnType<PaymentStore[Verb]>>;
};

const schema = optionMembers("the options of memoryPaymentStore", {
  balances: port<MemoryBalanceStore>("a memory balance store", ["credit", "debit", "balance"], "memoryBalanceStore()"),
});

/**
 * Returns a PaymentStore in the memory of this process, for development and tests. Every method is one synchronous step, together
 * with what it posts in `balances`. Payments are kept until the process exits.
 */
export function memoryPaymentStore(options: { readonly balances: MemoryBalanceStore }): MemoryPaymentStore {
  return new PaymentsInMemory(requireOptions("memoryPaymentStore", schema, options).balances);
}

class PaymentsInMemory implements MemoryPaymentStore {
  readonly #balances: MemoryBalanceStore;
  readonly #payments = new Map<string, Payment>();
  readonly #waiting = new Map<string, WaitingEvent>();
  readonly #topUps = new Map<string, TopUp>();

  constructor(balances: MemoryBalanceStore) {
    this.#balances = balances;
  }

  begin(payment: NewPayment, { maxOpen }: { readonly maxOpen: number }): BeginResult {
    const known = this.#payments.get(payment.id);
    if (known !== undefined) return { outcome: "reused", payment: known };
    const unfinished = this.#of(payment.account).filter(({ state }) => isUnfinished(state));
    const result = beginPayment(payment, unfinished, { maxOpen, now: new Date() });
    if (result.outcome === "begun") this.#payments.set(payment.id, result.payment);
    return result;
  }

  open(id: string, checkout: Checkout): Payment | undefined {
    const payment = this.#payments.get(id);
    if (payment?.state !== "pending") return payment;
    const opened: Payment = { ...payment, state: "open", checkout };
    this.#payments.set(id, opened);
    return opened;
  }

  apply(event: PaymentEvent, rules: EventRules): ApplyResult {
    const result = this.#applyOne(event, rules);
    if (result.outcome === "waiting") this.#keep(event);
    if (result.outcome === "waiting" || result.outcome === "mismatch") return result;
    for (const waiting of this.#waitingFor(result.payment)) {
      if (this.#applyOne(waiting, rules).outcome !== "waiting") this.#waiting.delete(keyOf(waiting));
    }
    return { outcome: result.outcome, payment: this.#payments.get(result.payment.id) ?? result.payment };
  }

  find(by: Subject): Payment | undefined {
    if ("id" in by) return this.#payments.get(by.id);
    return [...this.#payments.values()].find((payment) => isReference(payment, by));
  }

  resolve(id: string): Payment | undefined {
    const before = this.#payments.get(id);
    if (before?.problem === undefined) return before;
    const { problem: _, ...resolved } = before;
    this.#payments.set(id, resolved);
    return before;
  }

  list({ account, state, problem, from, to, limit, after }: PaymentQuery): PaymentPage {
    const found = [...this.#payments.values()]
      .filter((payment) => account === undefined || payment.account === account)
      .filter((payment) => state === undefined || payment.state === state)
      .filter((payment) => problem === undefined || payment.problem !== undefined)
      .filter(({ createdAt }) => (from === undefined || createdAt >= from) && (to === undefined || createdAt < to))
      .sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1))
      .filter((payment) => after === undefined || placeOf(payment) < after);
    const payments = found.slice(0, limit);
    const last = payments.at(-1);
    return { payments, ...(found.length > limit && last !== undefined ? { next: placeOf(last) } : {}) };
  }

  waitingEvents({ limit }: { readonly limit: number }): readonly WaitingEvent[] {
    return [...this.#waiting.values()].slice(0, limit);
  }

  savedMethod(account: string): SavedMethod | undefined {
    return this.#of(account).findLast(({ method }) => method !== undefined)?.method;
  }

  setTopUp(topUp: NewTopUp): void {
    this.#topUps.set(topUp.account, topUp);
  }

  removeTopUp(account: string): void {
    this.#topUps.delete(account);
  }

  topUp(account: string): TopUp | undefined {
    return this.#topUps.get(account);
  }

  forget(account: string): number {
    const removed = this.#topUps.delete(account) ? 1 : 0;
    const changed = this.#of(account)
      .map((payment) => ({ payment, forgotten: forgottenPayment(payment) }))
      .filter(({ payment, forgotten }) => forgotten !== payment);
    for (const { forgotten } of changed) this.#payments.set(forgotten.id, forgotten);
    return removed + changed.length;
  }

  dueTopUps({ limit, after = "" }: Parameters<PaymentStore["dueTopUps"]>[0]): readonly DueTopUp[] {
    return [...this.#topUps.values()]
      .filter(({ account }) => account > after)
      .flatMap((topUp) => this.#due(topUp))
      .sort((one, other) => (one.account < other.account ? -1 : 1))
      .slice(0, limit);
  }

  #due(topUp: TopUp): readonly DueTopUp[] {
    const { account, below, maxPerDay, stopped } = topUp;
    if (stopped !== undefined || this.#balances.balance(account).posted >= below) return [];
    const made = this.#of(account).filter(({ kind, state }) => kind === "top_up" && state !== "pending");
    if (made.some(({ state }) => state === "open" || state === "processing")) return [];
    const today = new Date().setUTCHours(0, 0, 0, 0);
    if (made.filter(({ createdAt }) => createdAt.getTime() >= today).length >= maxPerDay) return [];
    const last = made.at(-1);
    return [{ ...topUp, ...(last === undefined ? {} : { last: last.id }) }];
  }

  #applyOne(event: PaymentEvent, rules: EventRules): ApplyResult {
    const payment = this.find(subjectOf(event));
    if (payment === undefined) return { outcome: "waiting" };
    let change: Change = applyEvent(payment, event, rules);
    while (change.outcome === "post") change = change.next(this.#post(change.ledger));
    if (change.outcome === "repeated") return { outcome: "repeated", payment };
    if (change.outcome !== "applied") return change;
    this.#payments.set(payment.id, change.payment);
    if (change.stopTopUp !== undefined) this.#stopTopUp(payment.account, change.stopTopUp);
    return { outcome: "applied", payment: change.payment };
  }

  #post({ verb, posting }: LedgerPosting) {
    return verb === "credit" ? this.#balances.credit(posting) : this.#balances.debit(posting);
  }

  #stopTopUp(account: string, reason: string): void {
    const topUp = this.#topUps.get(account);
    if (topUp !== undefined) this.#topUps.set(account, { ...topUp, stopped: { at: new Date(), reason } });
  }

  #keep(event: PaymentEvent): void {
    const key = keyOf(event);
    if (!this.#waiting.has(key)) this.#waiting.set(key, { event, since: new Date() });
  }

  #waitingFor(payment: Payment): readonly PaymentEvent[] {
    return [...this.#waiting.values()]
      .map(({ event }) => event)
      .filter((event) => {
        const subject = subjectOf(event);
        return "id" in subject ? subject.id === payment.id : isReference(payment, subject);
      })
      .sort((one, other) => one.at.getTime() - other.at.getTime());
  }

  #of(account: string): readonly Payment[] {
    return [...this.#payments.values()].filter((payment) => payment.account === account);
  }
}

const keyOf = ({ provider, id }: PaymentEvent): string => JSON.stringify([provider, id]);

const isUnfinished = (state: Payment["state"]): boolean =>
  state === "pending" || state === "open" || state === "processing";

const isReference = (payment: Payment, by: { readonly provider: string; readonly reference: string }): boolean =>
  payment.provider === by.provider && payment.receipt?.reference === by.reference;

/** Orders payments by time and id as text, and is the cursor of a page. */
const placeOf = ({ createdAt, id }: Payment): string => `${createdAt.toISOString()} ${id}`;
