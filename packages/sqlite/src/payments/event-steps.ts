import type { ApplyResult, EventRules, PaymentEvent } from "@tollgate/payments/store";
import { applyEvent, type Change, subjectOf } from "@tollgate/payments/store";
import type { HostPostings } from "../balance-store.ts";
import type { PaymentRows } from "./payment-rows.ts";
import type { TopUps } from "./top-ups.ts";
import type { WaitingEvents } from "./waiting-events.ts";

/** What events change. */
interface ChangedByEvents {
  readonly payments: PaymentRows;
  readonly topUps: TopUps;
  readonly waiting: WaitingEvents;
  readonly postings: HostPostings;
}

/** Applies events. Each step runs in a transaction of the caller, with its postings. */
export class EventSteps {
  readonly #changed: ChangedByEvents;

  constructor(changed: ChangedByEvents) {
    this.#changed = changed;
  }

  /** Applies the event, and after it the events that waited for its payment. */
  apply(event: PaymentEvent, rules: EventRules): ApplyResult {
    const { payments, waiting } = this.#changed;
    const result = this.#applyOne(event, rules);
    const { outcome } = result;
    if (outcome === "waiting") waiting.add(event);
    if (outcome === "waiting" || outcome === "mismatch") return { outcome };
    for (const each of waiting.of(result.payment)) {
      if (this.#applyOne(each, rules).outcome !== "waiting") waiting.remove(each);
    }
    return { outcome, payment: payments.find(result.payment.id) ?? result.payment };
  }

  #applyOne(event: PaymentEvent, rules: EventRules): ApplyResult {
    const payment = this.#changed.payments.findBy(subjectOf(event));
    if (payment === undefined) return { outcome: "waiting" };
    const change = this.#post(applyEvent(payment, event, rules));
    if (change.outcome === "repeated") return { outcome: "repeated", payment };
    if (change.outcome !== "applied") return { outcome: change.outcome };
    this.#write(change);
    return { outcome: "applied", payment: change.payment };
  }

  /** Makes the postings of a change, and returns what comes of them. */
  #post(change: Change): Exclude<Change, { outcome: "post" }> {
    const { postings } = this.#changed;
    let current = change;
    while (current.outcome === "post") {
      const { ledger, next } = current;
      current = next(ledger.verb === "credit" ? postings.credit(ledger.posting) : postings.debit(ledger.posting));
    }
    return current;
  }

  #write({ payment, stopTopUp }: Extract<Change, { outcome: "applied" }>): void {
    this.#changed.payments.write(payment);
    if (stopTopUp !== undefined) this.#changed.topUps.stop(payment.account, stopTopUp);
  }
}
