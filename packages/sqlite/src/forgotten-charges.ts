import { forgottenDescription } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import type { Command, Query } from "./statement.ts";

/** A call releases the write lock after this many holds, so that a long history does not block other calls. */
const maxPerCall = 200;

const isTold = `description IS NOT NULL AND (description <> '${forgottenDescription}' OR metadata IS NOT NULL)`;
const forgotten = `description = '${forgottenDescription}', metadata = NULL`;

/** Erases what the host wrote of the charges of an account, in its holds and in their entries. */
export class ForgottenCharges {
  readonly #told: Query<string>;
  readonly #forgetHold: Command;
  readonly #forgetEntries: Command;

  constructor(connection: Connection) {
    this.#told = connection.query(
      `SELECT id FROM tollgate_hold WHERE account = ? AND ${isTold} LIMIT ${maxPerCall}`,
      (row) => row.text("id"),
    );
    this.#forgetHold = connection.command(`UPDATE tollgate_hold SET ${forgotten} WHERE id = ?`);
    this.#forgetEntries = connection.command(
      `UPDATE tollgate_entry SET ${forgotten} WHERE reference = ? AND kind IN ('charge', 'expiry', 'late')`,
    );
  }

  /** Changes a batch of holds, and returns how many. */
  forget(account: string): number {
    const holds = this.#told.all(searchable(account));
    for (const id of holds) {
      this.#forgetHold.run(id);
      this.#forgetEntries.run(id);
    }
    return holds.length;
  }
}
