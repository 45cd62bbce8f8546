import type { Connection } from "./connection.ts";
import type { Command, Query } from "./statement.ts";

/** A debit of paid money as it was asked for, in nano-units. Its entry may have less, or be absent. */
export interface PaidDebit {
  readonly id: string;
  readonly account: string;
  readonly amount: bigint;
  readonly reason: string;
}

/** The rows of tollgate_paid_debit. */
export class PaidDebits {
  readonly #find: Query<PaidDebit>;
  readonly #add: Command;

  constructor(connection: Connection) {
    this.#find = connection.query(
      "SELECT id, account, amount, reason FROM tollgate_paid_debit WHERE id = ?",
      (row) => ({
        id: row.text("id"),
        account: row.text("account"),
        amount: row.integer("amount"),
        reason: row.text("reason"),
      }),
    );
    this.#add = connection.command("INSERT INTO tollgate_paid_debit (id, account, amount, reason) VALUES (?, ?, ?, ?)");
  }

  find(id: string): PaidDebit | undefined {
    return this.#find.first(id);
  }

  /** Adds a row, by which its entry is recognized as a debit of paid money. The entry comes after it. */
  add({ id, account, amount, reason }: PaidDebit): void {
    this.#add.run(id, account, amount, reason);
  }
}
