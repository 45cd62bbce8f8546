import type { BalanceStore } from "@tollgate/core/store";
import type { ApplyResult, EventRules, Payment, PaymentEvent } from "@tollgate/payments/store";
import {
  applyEvent,
  type Change,
  paymentColumns,
  readEvent,
  readPayment,
  subjectOf,
  writeEvent,
} from "@tollgate/payments/store";
import type { RunStatement } from "../database.ts";
import { valuesOf } from "./columns.ts";
import { eventsOfPaymentStatement, keepEventStatement, removeEventStatement } from "./event-statements.ts";
import {
  lockByReferenceStatement,
  lockPaymentStatement,
  lockReferenceStatement,
  writePaymentStatement,
} from "./payment-statements.ts";
import { stopTopUpStatement } from "./top-up-statements.ts";

/**
 * Applies events in one transaction, with their postings. It locks what the provider calls the payment, then the payment, and the
 * account last, so that transactions wait for each other in one order.
 */
export class EventTransaction {
  readonly #run: RunStatement;
  readonly #postings: Pick<BalanceStore, "credit" | "debit">;

  constructor(run: RunStatement, postings: Pick<BalanceStore, "credit" | "debit">) {
    this.#run = run;
    this.#postings = postings;
  }

  /** Applies the event, and after it the events that waited for its payment. */
  async apply(event: PaymentEvent, rules: EventRules): Promise<ApplyResult> {
    const result = await this.#applyOne(event, rules);
    const { outcome } = result;
    if (outcome === "waiting") await this.#keep(event);
    if (outcome === "waiting" || outcome === "mismatch") return { outcome };
    let { payment } = result;
    for (const waiting of await this.#waitingFor(payment)) {
      const later = await this.#applyOne(waiting, rules);
      if (later.outcome !== "waiting") await this.#run(removeEventStatement, [waiting.provider, waiting.id]);
      if (later.outcome === "applied") payment = later.payment;
    }
    return { outcome, payment };
  }

  async #applyOne(event: PaymentEvent, rules: EventRules): Promise<ApplyResult> {
    const payment = await this.#lock(event);
    if (payment === undefined) return { outcome: "waiting" };
    const change = await this.#post(applyEvent(payment, event, rules));
    if (change.outcome === "repeated") return { outcome: "repeated", payment };
    if (change.outcome !== "applied") return { outcome: change.outcome };
    await this.#write(change);
    return { outcome: "applied", payment: change.payment };
  }

  /** Locks the payment of the event and returns it. Undefined: it is not known. */
  async #lock(event: PaymentEvent): Promise<Payment | undefined> {
    const subject = subjectOf(event);
    const reference = referenceOf(event);
    if (reference !== undefined) await this.#run(lockReferenceStatement, [event.provider, reference]);
    const [row] =
      "id" in subject
        ? await this.#run(lockPaymentStatement, [subject.id])
        : await this.#run(lockByReferenceStatement, [subject.provider, subject.reference]);
    return row && readPayment(row);
  }

  /** Makes the postings of a change, and returns what comes of them. */
  async #post(change: Change): Promise<Exclude<Change, { outcome: "post" }>> {
    let current = change;
    while (current.outcome === "post") {
      const { ledger, next } = current;
      const result = await (ledger.verb === "credit"
        ? this.#postings.credit(ledger.posting)
        : this.#postings.debit(ledger.posting));
      current = next(result);
    }
    return current;
  }

  async #write({ payment, stopTopUp }: Extract<Change, { outcome: "applied" }>): Promise<void> {
    await this.#run(writePaymentStatement, valuesOf(paymentColumns, payment));
    if (stopTopUp !== undefined) await this.#run(stopTopUpStatement, [payment.account, stopTopUp]);
  }

  async #keep(event: PaymentEvent): Promise<void> {
    const subject = subjectOf(event);
    const found = "id" in subject ? [subject.id, undefined] : [undefined, subject.reference];
    await this.#run(keepEventStatement, [event.provider, event.id, ...found, writeEvent(event)]);
  }

  /** Returns the events that wait for the payment, by the time at which they happened. */
  async #waitingFor({ id, provider, receipt }: Payment): Promise<readonly PaymentEvent[]> {
    const rows = await this.#run(eventsOfPaymentStatement, [id, provider, receipt?.reference]);
    return rows.map((row) => readEvent(row.text("event"))).sort((one, other) => one.at.getTime() - other.at.getTime());
  }
}

/** What the provider calls the payment of an event, if the event tells. */
function referenceOf(event: PaymentEvent): string | undefined {
  if ("reference" in event) return event.reference;
  return event.type === "payment.paid" ? event.receipt.reference : undefined;
}
