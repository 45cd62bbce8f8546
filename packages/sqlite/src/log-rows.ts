import { nextOf } from "@tollgate/core/internal";
import { firstFitting, type LogPage, type PageSize, readLog, type StoredLog } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import { type Sized, toSized } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/** How many logs a session keeps; older ones are deleted. */
const maxLogs = 1_000;

/** The rows of tollgate_session_log, numbered from 1 in each session. */
export class LogRows {
  readonly #sizes: Query<Sized>;
  readonly #page: Query<StoredLog>;
  readonly #add: Query<bigint>;
  readonly #deleteUntil: Command;

  constructor(connection: Connection) {
    const before = "FROM tollgate_session_log WHERE session_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?";
    this.#sizes = connection.query(`SELECT octet_length(log) AS bytes ${before}`, toSized);
    this.#page = connection.query(`SELECT sequence, log ${before}`, (row) => ({
      sequence: Number(row.integer("sequence")),
      log: row.parsed("log", readLog),
    }));
    this.#add = connection.query(
      `INSERT INTO tollgate_session_log (session_id, sequence, log)
        VALUES (?1, (SELECT coalesce(max(sequence), 0) + 1 FROM tollgate_session_log WHERE session_id = ?1), ?2)
        RETURNING sequence`,
      (row) => row.integer("sequence"),
    );
    this.#deleteUntil = connection.command("DELETE FROM tollgate_session_log WHERE session_id = ? AND sequence <= ?");
  }

  page(sessionId: string, before: number, size: PageSize): LogPage {
    const id = searchable(sessionId);
    const found = this.#sizes.all(id, before, size.limit + 1);
    const logs = this.#page.all(id, before, firstFitting(found, size).length);
    return { logs, ...nextOf(logs, found.length, ({ sequence }) => sequence) };
  }

  /** Adds a log, as JSON text, and deletes the logs beyond the limit. */
  add(sessionId: string, log: string): void {
    const sequence = this.#add.first(sessionId, log) ?? 0n;
    this.#deleteUntil.run(sessionId, sequence - BigInt(maxLogs));
  }
}
