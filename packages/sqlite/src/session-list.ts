import type { PageSize, Session, SessionPage, SessionPosition } from "@tollgate/core/store";
import { firstFitting } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import { sessionColumns, toSession } from "./session-rows.ts";
import { type Sized, toSized } from "./sized.ts";
import type { Query } from "./statement.ts";

/** Reads the sessions of an account, newest first. */
export class SessionList {
  readonly #sizes: Query<Sized>;
  readonly #page: Query<Session>;

  constructor(connection: Connection) {
    const page = `FROM tollgate_session
      WHERE account = ?1 AND (created_at, id) < (?2, ?3) AND expires_at > ?4
      ORDER BY created_at DESC, id DESC LIMIT ?5`;
    this.#sizes = connection.query(`SELECT octet_length(client_data) AS bytes ${page}`, toSized);
    this.#page = connection.query(`SELECT ${sessionColumns} ${page}`, toSession);
  }

  page(account: string, size: PageSize & { readonly before?: SessionPosition }): SessionPage {
    const { createdAt, id } = size.before ?? latestPosition;
    const from = [searchable(account), createdAt.getTime(), searchable(id), Date.now()] as const;
    const found = this.#sizes.all(...from, size.limit + 1);
    const sessions = this.#page.all(...from, firstFitting(found, size).length);
    const last = sessions.at(-1);
    if (found.length <= sessions.length || last === undefined) return { sessions };
    return { sessions, next: { createdAt: last.createdAt, id: last.id } };
  }
}

/** After every session: the latest time that a Date can hold. */
const latestPosition: SessionPosition = { createdAt: new Date(8.64e15), id: "" };
