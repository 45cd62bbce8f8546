import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import type { Row } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/** A sweep releases the write lock after this many responses, items or bytes, so that a backlog does not block other calls. */
const sweepLimits = { responses: 200, items: 2_000, bytes: 16_777_216 } as const;

interface DueResponse {
  readonly sequence: bigint;
  readonly items: number;
  readonly bytes: number;
}

/** Removes responses that have expired, or that belong to an account. */
export class DueResponses {
  readonly #due: Query<DueResponse>;
  readonly #dueOfAccount: Query<DueResponse>;
  readonly #ofAccount: Query<DueResponse>;
  readonly #delete: Command;

  constructor(connection: Connection) {
    const select = "SELECT sequence, items, bytes FROM tollgate_response WHERE";
    const order = "expires_at <= ?1 ORDER BY expires_at LIMIT ?2";
    this.#due = connection.query(`${select} ${order}`, toDue);
    this.#dueOfAccount = connection.query(`${select} account = ?3 AND ${order}`, toDue);
    this.#ofAccount = connection.query(`${select} account = ? ORDER BY expires_at LIMIT ?`, toDue);
    this.#delete = connection.command("DELETE FROM tollgate_response WHERE sequence = ?");
  }

  /**
   * Removes one batch and returns how many responses it removed. A response that exceeds a limit makes a batch alone.
   */
  remove(): number {
    return this.#remove(this.#due.all(Date.now(), sweepLimits.responses));
  }

  /** Does the same for the responses of one account. */
  removeOf(account: string): number {
    return this.#remove(this.#dueOfAccount.all(Date.now(), sweepLimits.responses, searchable(account)));
  }

  /** Does the same for all responses of one account, whether or not they have expired. */
  forget(account: string): number {
    return this.#remove(this.#ofAccount.all(searchable(account), sweepLimits.responses));
  }

  #remove(due: readonly DueResponse[]): number {
    let [removed, items, bytes] = [0, 0, 0];
    for (const response of due) {
      items += response.items;
      bytes += response.bytes;
      if (removed > 0 && (items > sweepLimits.items || bytes > sweepLimits.bytes)) break;
      removed += this.#delete.run(response.sequence);
    }
    return removed;
  }
}

const toDue = (row: Row): DueResponse => ({
  sequence: row.integer("sequence"),
  items: Number(row.integer("items")),
  bytes: Number(row.integer("bytes")),
});
