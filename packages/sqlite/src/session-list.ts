import { nextOf } from "@tollgate/core/internal";
import { firstFitting, type Session, type SessionAdmin, type SessionPage } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { columnIs, FilteredQuery } from "./filtered-query.ts";
import { type Sized, toSized } from "./row.ts";
import { sessionColumns, toSession } from "./session-rows.ts";

/** Reads sessions, newest first. */
export class SessionList {
  readonly #sizes: FilteredQuery<Sized>;
  readonly #page: FilteredQuery<Session>;

  constructor(connection: Connection) {
    const order = "ORDER BY created_at DESC, id DESC";
    const select = (columns: string) => `SELECT ${columns} FROM tollgate_session`;
    this.#sizes = new FilteredQuery(connection, select("octet_length(client_data) AS bytes"), order, toSized);
    this.#page = new FilteredQuery(connection, select(sessionColumns), order, toSession);
  }

  page({ account, assistantId, before, ...size }: Parameters<SessionAdmin["listSessions"]>[0]): SessionPage {
    const conditions = [
      columnIs("account", account),
      columnIs("assistant_id", assistantId),
      before && { sql: "(created_at, id) < (?, ?)", values: [before.createdAt, before.id] },
      // The plus keeps SQLite from reading the index of this column, which has another order.
      { sql: "+expires_at > ?", values: [Date.now()] },
    ];
    const found = this.#sizes.all(conditions, size.limit + 1);
    const sessions = this.#page.all(conditions, firstFitting(found, size).length);
    return { sessions, ...nextOf(sessions, found.length, ({ createdAt, id }) => ({ createdAt, id })) };
  }
}
