import type { Payment, PaymentEvent, WaitingEvent } from "@tollgate/payments/store";
import { readEvent, subjectOf, writeEvent } from "@tollgate/payments/store";
import type { Connection } from "../connection.ts";
import type { Row } from "../row.ts";
import type { Command, Query } from "../statement.ts";

/** The rows of tollgate_payment_event. */
export class WaitingEvents {
  readonly #add: Command;
  readonly #remove: Command;
  readonly #oldest: Query<WaitingEvent>;
  readonly #ofPayment: Query<WaitingEvent>;
  readonly #ofReference: Query<WaitingEvent>;

  constructor(connection: Connection) {
    const events = (rest: string) =>
      connection.query(`SELECT event, since FROM tollgate_payment_event ${rest}`, toWaitingEvent);
    this.#oldest = events("ORDER BY sequence LIMIT ?");
    this.#ofPayment = events("WHERE payment = ? ORDER BY sequence");
    this.#ofReference = events("WHERE provider = ? AND reference = ? ORDER BY sequence");
    this.#add = connection.command(
      `INSERT INTO tollgate_payment_event (provider, id, payment, reference, since, event) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (provider, id) DO NOTHING`,
    );
    this.#remove = connection.command("DELETE FROM tollgate_payment_event WHERE provider = ? AND id = ?");
  }

  /** Keeps the event, once. */
  add(event: PaymentEvent): void {
    const subject = subjectOf(event);
    const [payment, reference] = "id" in subject ? [subject.id, undefined] : [undefined, subject.reference];
    this.#add.run(event.provider, event.id, payment, reference, new Date(), writeEvent(event));
  }

  remove({ provider, id }: PaymentEvent): void {
    this.#remove.run(provider, id);
  }

  /** Returns the events that came first. */
  oldest(limit: number): readonly WaitingEvent[] {
    return this.#oldest.all(limit);
  }

  /** Returns the events of a payment, by the time at which they happened. */
  of({ id, provider, receipt }: Payment): readonly PaymentEvent[] {
    const ofReference = receipt === undefined ? [] : this.#ofReference.all(provider, receipt.reference);
    return [...this.#ofPayment.all(id), ...ofReference]
      .map(({ event }) => event)
      .sort((one, other) => one.at.getTime() - other.at.getTime());
  }
}

const toWaitingEvent = (row: Row): WaitingEvent => ({
  event: row.parsed("event", readEvent),
  since: row.time("since"),
});
