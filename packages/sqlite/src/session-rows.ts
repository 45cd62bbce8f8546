import { exceededLimit, nextOf, readSessionRow } from "@tollgate/core/internal";
import {
  firstFitting,
  type NewSession,
  readClientData,
  type Session,
  type SessionAdmin,
  type SessionLimits,
  type SessionOverview,
  type SessionPage,
  type SessionRef,
  type TurnRequest,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { columnIs, FilteredQuery } from "./filtered-query.ts";
import { searchable } from "./parameters.ts";
import { type Row, type Sized, toSized } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/** The columns that {@link toSession} reads. */
export const sessionColumns = "id, account, assistant_id, client_data, created_at, updated_at";

/** The rows of tollgate_session. An expired session is neither found nor changed. */
export class SessionRows {
  readonly #add: Query<Session>;
  readonly #has: Query<string>;
  readonly #find: Query<Session>;
  readonly #overview: Query<SessionOverview>;
  readonly #setClientData: Query<Session>;
  readonly #lock: Query<Session>;
  readonly #renew: Command;
  readonly #unlock: Command;
  readonly #delete: Command;

  constructor(connection: Connection) {
    const columns = sessionColumns;
    const live = "id = ?1 AND account = ?2 AND expires_at > ?3";
    const change = (changes: string) =>
      `UPDATE tollgate_session SET ${changes}, expires_at = ?3 + ttl_ms WHERE ${live}`;
    this.#add = connection.query(
      `INSERT INTO tollgate_session (id, account, assistant_id, client_data, created_at, updated_at, ttl_ms, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?5 + ?6) ON CONFLICT (id) DO NOTHING
        RETURNING ${columns}`,
      toSession,
    );
    this.#has = connection.query("SELECT id FROM tollgate_session WHERE id = ?", (row) => row.text("id"));
    this.#find = connection.query(`SELECT ${columns} FROM tollgate_session WHERE ${live}`, toSession);
    this.#overview = connection.query(
      `SELECT ${columns}, expires_at,
          (SELECT count(*) FROM tollgate_session_message WHERE session_id = session.id AND starts_turn = 1) AS turns
        FROM tollgate_session AS session WHERE id = ? AND expires_at > ?`,
      (row) => ({ ...toSession(row), turns: Number(row.integer("turns")), expiresAt: row.time("expires_at") }),
    );
    this.#setClientData = connection.query(
      `${change("updated_at = CASE client_data WHEN ?4 THEN updated_at ELSE ?3 END, client_data = ?4")} RETURNING ${columns}`,
      toSession,
    );
    this.#lock = connection.query(
      `${change("turn_id = ?4, leased_until = ?5")} AND (turn_id IS NULL OR turn_id = ?4 OR leased_until <= ?3)
        RETURNING ${columns}`,
      toSession,
    );
    this.#renew = connection.command(`${change("leased_until = ?5")} AND turn_id = ?4`);
    this.#unlock = connection.command(
      `${change("turn_id = NULL, leased_until = NULL, updated_at = coalesce(?5, updated_at)")} AND turn_id = ?4`,
    );
    this.#delete = connection.command(`DELETE FROM tollgate_session WHERE ${live}`);
  }

  /** Adds a session. Returns undefined when a row with the id exists. */
  add({ id, account, assistantId, ttlMs }: NewSession, clientData: string): Session | undefined {
    return this.#add.first(id, account, assistantId, clientData, Date.now(), ttlMs);
  }

  /** Tells whether a row with the id exists, in any account and whether or not it has expired. */
  has(id: string): boolean {
    return this.#has.first(searchable(id)) !== undefined;
  }

  find(ref: SessionRef): Session | undefined {
    return this.#find.first(...keyOf(ref, Date.now()));
  }

  /** Finds a session of any account. */
  overview(id: string): SessionOverview | undefined {
    return this.#overview.first(searchable(id), Date.now());
  }

  /** Replaces the client data, which is JSON text, and returns the session. */
  setClientData(ref: SessionRef, clientData: string): Session | undefined {
    return this.#setClientData.first(...keyOf(ref, Date.now()), clientData);
  }

  /** Locks the session for the turn. Returns undefined when it does not exist or another turn has a valid lease. */
  lock(ref: SessionRef, { turnId, leaseMs }: TurnRequest): Session | undefined {
    const now = Date.now();
    return this.#lock.first(...keyOf(ref, now), turnId, now + leaseMs);
  }

  /** Returns false when the turn does not have the lock. */
  renew(ref: SessionRef, turnId: string, leaseMs: number): boolean {
    const now = Date.now();
    return this.#renew.run(...keyOf(ref, now), turnId, now + leaseMs) > 0;
  }

  /**
   * Unlocks the session, and sets its update time if the turn has changed it. Returns false when the turn does not have
   * the lock.
   */
  unlock(ref: SessionRef, turnId: string, changed: boolean): boolean {
    const now = Date.now();
    return this.#unlock.run(...keyOf(ref, now), turnId, changed ? now : undefined) > 0;
  }

  /** Deletes the session with its messages, images and logs. */
  delete(ref: SessionRef): boolean {
    return this.#delete.run(...keyOf(ref, Date.now())) > 0;
  }
}

/** The first three parameters of the statements. An id comes from a URL and can be any text. */
const keyOf = ({ id, account }: SessionRef, now: number) => [searchable(id), searchable(account), now] as const;

/** Reads a session from its columns. */
export const toSession = (row: Row): Session =>
  readSessionRow(row, row.text("account"), row.parsed("client_data", readClientData));

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

/** The rows of tollgate_session_account, which triggers maintain. */
export class SessionUsage {
  readonly #find: Query<Required<SessionLimits>>;

  constructor(connection: Connection) {
    this.#find = connection.query("SELECT sessions, bytes FROM tollgate_session_account WHERE account = ?", (row) => ({
      sessions: Number(row.integer("sessions")),
      bytes: Number(row.integer("bytes")),
    }));
  }

  /** Returns by how many bytes the account exceeds the limit; 0 or less means that it does not. */
  bytesBeyond(account: string, limit = Number.POSITIVE_INFINITY): number {
    return this.#of(account).bytes - limit;
  }

  /** Returns the limit that the account would exceed with one more session of this size. */
  exceeded(account: string, bytes: number, limits: SessionLimits): keyof SessionLimits | undefined {
    return exceededLimit(this.#of(account), bytes, limits);
  }

  #of(account: string): Required<SessionLimits> {
    return this.#find.first(searchable(account)) ?? { sessions: 0, bytes: 0 };
  }
}
