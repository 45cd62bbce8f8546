import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import type { Command, Query } from "./statement.ts";

/** A sweep gives the lock back after so many sessions, or so many of their rows, so that a backlog does not keep others waiting. */
const most = { sessions: 200, rows: 2_000 } as const;

/** Removes sessions whose time has run out. */
export class DueSessions {
  readonly #due: Query<string>;
  readonly #dueOfAccount: Query<string>;
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
    this.#rows = connection.query(
      `SELECT (SELECT count(*) FROM tollgate_session_message WHERE session_id = ?1)
          + (SELECT count(*) FROM tollgate_session_image WHERE session_id = ?1)
          + (SELECT count(*) FROM tollgate_session_log WHERE session_id = ?1) AS rows`,
      (row) => Number(row.integer("rows")),
    );
    this.#delete = connection.command("DELETE FROM tollgate_session WHERE id = ?");
  }

  /** Removes one portion, and gives back how many sessions it was; only a session alone may have more rows. */
  remove(): number {
    return this.#remove(this.#due.all(Date.now(), most.sessions));
  }

  /** The same among the sessions of one account. */
  removeOf(account: string): number {
    return this.#remove(this.#dueOfAccount.all(Date.now(), most.sessions, searchable(account)));
  }

  #remove(due: readonly string[]): number {
    let [sessions, rows] = [0, 0];
    for (const id of due) {
      rows += this.#rows.first(id) ?? 0;
      if (sessions > 0 && rows > most.rows) break;
      sessions += this.#delete.run(id);
    }
    return sessions;
  }
}
