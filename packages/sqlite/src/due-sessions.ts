import type { Connection } from "./connection.ts";
import type { Command, Query } from "./statement.ts";

/** A sweep gives the lock back after so many sessions, or so many of their rows, so that a backlog does not keep others waiting. */
const most = { sessions: 200, rows: 2_000 } as const;

/** Removes sessions whose time has run out. */
export class DueSessions {
  readonly #due: Query<string>;
  readonly #rows: Query<number>;
  readonly #delete: Command;

  constructor(connection: Connection) {
    this.#due = connection.query(
      "SELECT id FROM tollgate_session WHERE expires_at <= ? ORDER BY expires_at LIMIT ?",
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
    let [sessions, rows] = [0, 0];
    for (const id of this.#due.all(Date.now(), most.sessions)) {
      rows += this.#rows.first(id) ?? 0;
      if (sessions > 0 && rows > most.rows) break;
      sessions += this.#delete.run(id);
    }
    return sessions;
  }
}
