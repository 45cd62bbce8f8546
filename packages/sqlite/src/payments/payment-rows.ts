import { nextOf } from "@tollgate/core/internal";
import type { Payment, PaymentPage, PaymentQuery } from "@tollgate/payments/store";
import { forgottenColumns, paymentColumns, readPayment, type Subject } from "@tollgate/payments/store";
import type { Connection } from "../connection.ts";
import { type Condition, columnIs, FilteredQuery } from "../filtered-query.ts";
import { searchable } from "../parameters.ts";
import type { Command, Query } from "../statement.ts";
import { WrittenRows } from "./written-rows.ts";

/** The rows of tollgate_payment. */
export class PaymentRows {
  readonly #byId: Query<Payment>;
  readonly #byReference: Query<Payment>;
  readonly #unfinished: Query<Payment>;
  readonly #newestWithMethod: Query<Payment>;
  readonly #page: FilteredQuery<Payment>;
  readonly #forget: Command;
  readonly #resolve: Command;
  readonly #rows: WrittenRows<Payment>;

  constructor(connection: Connection) {
    const payments = (rest: string) => connection.query(`SELECT * FROM tollgate_payment ${rest}`, readPayment);
    const newestFirst = "ORDER BY created_at DESC, id DESC";
    this.#byId = payments("WHERE id = ?");
    this.#byReference = payments("WHERE provider = ? AND reference = ? ORDER BY created_at, id LIMIT 1");
    this.#unfinished = payments(
      "WHERE account = ? AND state IN ('pending', 'open', 'processing') ORDER BY created_at, id",
    );
    this.#newestWithMethod = payments(`WHERE account = ? AND method IS NOT NULL ${newestFirst} LIMIT 1`);
    this.#page = new FilteredQuery(connection, "SELECT * FROM tollgate_payment", newestFirst, readPayment);
    this.#forget = connection.command(
      `UPDATE tollgate_payment SET ${forgottenColumns.map((name) => `${name} = NULL`).join(", ")}
        WHERE account = ? AND coalesce(${forgottenColumns.join(", ")}) IS NOT NULL`,
    );
    this.#resolve = connection.command("UPDATE tollgate_payment SET problem = NULL WHERE id = ?");
    this.#rows = new WrittenRows(connection, "tollgate_payment", paymentColumns, "id");
  }

  find(id: string): Payment | undefined {
    return this.#byId.first(searchable(id));
  }

  findBy(subject: Subject): Payment | undefined {
    if ("id" in subject) return this.find(subject.id);
    return this.#byReference.first(searchable(subject.provider), searchable(subject.reference));
  }

  /** Returns the payments of an account that are pending, open or processing, oldest first. */
  unfinished(account: string): readonly Payment[] {
    return this.#unfinished.all(account);
  }

  /** Returns the newest payment of an account whose method the provider has kept. */
  newestWithMethod(account: string): Payment | undefined {
    return this.#newestWithMethod.first(searchable(account));
  }

  page({ account, state, problem, from, to, after, limit }: PaymentQuery): PaymentPage {
    const cursor = after === undefined ? undefined : isBefore(after);
    const hasProblem = problem && { sql: "problem IS NOT NULL", values: [] };
    const times = [timeIs(">=", from), timeIs("<", to)];
    const filters = [columnIs("account", account), columnIs("state", state), hasProblem, ...times, cursor];
    const found = this.#page.all(filters, limit + 1);
    const payments = found.slice(0, limit);
    return { payments, ...nextOf(payments, found.length, ({ id }) => id) };
  }

  /** Empties the columns that are forgotten. Returns how many payments had one of them. */
  forget(account: string): number {
    return this.#forget.run(searchable(account));
  }

  /** Removes the problem of a payment. */
  resolve(id: string): void {
    this.#resolve.run(id);
  }

  /** Adds the payment, or replaces the one of its id. */
  write(payment: Payment): void {
    this.#rows.write(payment);
  }
}

const timeIs = (operator: ">=" | "<", time: Date | undefined): Condition | undefined =>
  time === undefined ? undefined : { sql: `created_at ${operator} ?`, values: [time] };

const isBefore = (id: string): Condition => ({
  sql: "(created_at, id) < (SELECT created_at, id FROM tollgate_payment WHERE id = ?)",
  values: [id],
});
