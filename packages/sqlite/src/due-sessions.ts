import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import type { Command, Query } from "./statement.ts";

/** A sweep releases the write lock after this many sessions or rows, so that a backlog does not block other calls. */
const sweepLimits = { sessions: 200, rows: 2_000 } as const;

/** Removes sessions that have expired, or that belong to an account. */
export class DueSessions {
  readonly #due: Query<string>;
  readonly #dueOfAccount: Query<string>;
  readonly #ofAccount: Query<string>;
  readonly #rows: Query<number>;
  readonly #delete: Command;

  constructor(connection: Connection) {
    this.#due = connection.query(
      "SELECT id FROM tollgate_session WHERE expires_at <= ? ORDER BY expires_at LIMIT ?",
      (row) => row.text("id"),
    );
    this.#dueOfAccount = connection.query(
      "SELECT id FROM tollgate_session WHERE account = ?3 AND expires_at <= ?1 ORDER BY expires_at LIMIT ?2",
      (row) => row.text("id"),
    );
    this.#ofAccount = connection.query("SELECT id FROM tollgate_session WHERE account = ? LIMIT ?", (row) =>
      row.text("id"),
    );
    this.#rows = connection.query(
      `SELECT (SELECT count(*) FROM tollgate_session_message WHERE session_id = ?1)
          + (SELECT count(*) FROM tollgate_session_image WHERE session_id = ?1)
          + (SELECT count(*) FROM tollgate_session_log WHERE session_id = ?1) AS rows`,
      (row) => Number(row.integer("rows")),
    );
    this.#delete = connection.command("DELETE FROM tollgate_session WHERE id = ?");
  }

  /**
   * Removes one batch and returns how many sessions it removed. A session with more rows than the limit makes a batch
   * alone.
   */
  remove(): number {
    return this.#remove(this.#due.all(Date.now(), sweepLimits.sessions));
  }

  /** Does the same for the sessions of one account. */
  removeOf(account: string): number {
    return this.#remove(this.#dueOfAccount.all(Date.now(), sweepLimits.sessions, searchable(account)));
  }

  /** Does the same for all sessions of one account, whether or not they have expired. */
  forget(account: string): number {
    return this.#remove(this.#ofAccount.all(searchable(account), sweepLimits.sessions));
  }

  #remove(due: readonly string[]): number {
    let [sessions, rows] = [0, 0];
    for (const id of due) {
      rows += this.#rows.first(id) ?? 0;
      if (sessions > 0 && rows > sweepLimits.rows) break;
      sessions += this.#delete.run(id);
    }
    return sessions;
  }
}
