import { moneyKinds } from "@tollgate/core/internal";
import type { Lot, LotShare } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/** A lot to make, by what an entry names it. */
export type NewLot = Omit<LotShare, "amount">;

// Without the name of the index, SQLite reads those that are used up as well.
const open = "tollgate_lot INDEXED BY tollgate_lot_open";

/** The rows of tollgate_lot. One that is used up stays, since a refund may return money to it. */
export class Lots {
  readonly #open: Query<Lot>;
  readonly #find: Query<Lot>;
  readonly #add: Command;
  readonly #take: Command;
  readonly #count: Command;

  constructor(connection: Connection) {
    const columns = "id, kind, rest, expires_at, sequence";
    this.#open = connection.query(
      `SELECT ${columns} FROM ${open} WHERE account = ? AND rest > 0 ORDER BY expires_at NULLS LAST, sequence`,
      toLot,
    );
    this.#find = connection.query(`SELECT ${columns} FROM tollgate_lot WHERE account = ? AND id = ?`, toLot);
    this.#add = connection.command(
      `INSERT INTO tollgate_lot (account, id, kind, rest, expires_at, sequence)
       VALUES (?, ?, ?, ?, ?, (SELECT max(sequence) FROM tollgate_entry))
       ON CONFLICT (account, id) DO UPDATE SET rest = rest + excluded.rest`,
    );
    this.#take = connection.command("UPDATE tollgate_lot SET rest = rest - ?3 WHERE account = ?1 AND id = ?2");
    this.#count = connection.command(
      `UPDATE tollgate_account SET (in_lots, next_lapse) = (
         SELECT coalesce(sum(rest), 0), min(expires_at) FROM ${open} WHERE account = ?1 AND rest > 0)
        WHERE id = ?1`,
    );
  }

  /** Returns the lots that have something left, in the order in which they pay. */
  open(account: string): Lot[] {
    return this.#open.all(account);
  }

  find(account: string, id: string): Lot | undefined {
    return this.#find.first(account, id);
  }

  /** Adds amounts to lots, and makes those that are new with the last entry. */
  add(account: string, shares: readonly LotShare[]): void {
    for (const { lot, kind, amount, expiresAt } of shares) this.#add.run(account, lot, kind, amount, expiresAt);
  }

  take(account: string, shares: readonly LotShare[]): void {
    for (const { lot, amount } of shares) this.#take.run(account, lot, amount);
  }

  /** Writes the sum of the lots, and when the next one expires, to the row of the account. */
  count(account: string): void {
    this.#count.run(account);
  }
}

const toLot = (row: Row): Lot => ({
  id: row.text("id"),
  kind: row.oneOf("kind", moneyKinds),
  rest: row.integer("rest"),
  expiresAt: row.optionalTime("expires_at"),
  sequence: row.integer("sequence"),
});
