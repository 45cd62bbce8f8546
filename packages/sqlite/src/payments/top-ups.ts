import type { DueTopUp, NewTopUp, TopUp } from "@tollgate/payments/store";
import { readTopUp, topUpColumns } from "@tollgate/payments/store";
import type { Connection } from "../connection.ts";
import { searchable } from "../parameters.ts";
import type { Row } from "../row.ts";
import type { Command, Query } from "../statement.ts";
import { WrittenRows } from "./written-rows.ts";

const made = "account = top_up.account AND kind = 'top_up' AND state <> 'pending'";

/** The top-ups that are due by account, each with the `last` payment of its account. ?1 is the start of the day, ?2 the limit, ?3 the account after which to begin. */
const due = `
  SELECT top_up.*, (SELECT id FROM tollgate_payment WHERE ${made} ORDER BY created_at DESC, id DESC LIMIT 1) AS last
    FROM tollgate_top_up AS top_up LEFT JOIN tollgate_account AS known ON known.id = top_up.account
   WHERE top_up.account > ?3 AND top_up.stopped_at IS NULL AND coalesce(known.posted, 0) < top_up.below
     AND NOT EXISTS (SELECT 1 FROM tollgate_payment WHERE ${made} AND state IN ('open', 'processing'))
     AND top_up.max_per_day > (SELECT count(*) FROM tollgate_payment WHERE ${made} AND created_at >= ?1)
   ORDER BY top_up.account LIMIT ?2`;

/** The rows of tollgate_top_up. */
export class TopUps {
  readonly #find: Query<TopUp>;
  readonly #due: Query<DueTopUp>;
  readonly #remove: Command;
  readonly #stop: Command;
  readonly #rows: WrittenRows<TopUp>;

  constructor(connection: Connection) {
    this.#find = connection.query("SELECT * FROM tollgate_top_up WHERE account = ?", readTopUp);
    this.#due = connection.query(due, toDueTopUp);
    this.#remove = connection.command("DELETE FROM tollgate_top_up WHERE account = ?");
    this.#stop = connection.command(
      "UPDATE tollgate_top_up SET stopped_at = ?2, stopped_reason = ?3 WHERE account = ?1",
    );
    this.#rows = new WrittenRows(connection, "tollgate_top_up", topUpColumns, "account");
  }

  find(account: string): TopUp | undefined {
    return this.#find.first(searchable(account));
  }

  /** Adds the top-up, or replaces the one of its account. */
  set(topUp: NewTopUp): void {
    this.#rows.write(topUp);
  }

  stop(account: string, reason: string): void {
    this.#stop.run(account, new Date(), reason);
  }

  /** Returns how many it removed. */
  remove(account: string): number {
    return this.#remove.run(searchable(account));
  }

  /** Returns the top-ups that are due after an account, by account. */
  due(now: Date, limit: number, after: string): readonly DueTopUp[] {
    return this.#due.all(new Date(now).setUTCHours(0, 0, 0, 0), limit, after);
  }
}

function toDueTopUp(row: Row): DueTopUp {
  const last = row.optionalText("last");
  return { ...readTopUp(row), ...(last === undefined ? {} : { last }) };
}
