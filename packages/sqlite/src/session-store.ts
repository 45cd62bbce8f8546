import type { Awaitable } from "@tollgate/core/internal";
import { writeLosslessJson } from "@tollgate/core/provider";
import {
  type ClientDataChanges,
  type CreateResult,
  checkedWholeNumber,
  type LogPage,
  type MergeResult,
  type MessagePage,
  mergeClientData,
  type NewSession,
  type PageSize,
  type Session,
  type SessionAdmin,
  type SessionLimits,
  type SessionOverview,
  type SessionPage,
  type SessionPosition,
  type SessionRef,
  type SessionStore,
  type TurnRequest,
  type TurnStart,
  type WebhookLog,
} from "@tollgate/core/store";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";
import { DueSessions } from "./due-sessions.ts";
import { LogRows } from "./log-rows.ts";
import { MessageRows } from "./message-rows.ts";
import { SessionList, SessionRows, SessionUsage } from "./session-rows.ts";

/**
 * A SessionStore and SessionAdmin in SQLite, on a database that the host opens. {@link sqliteStores} lists the settings it changes. A
 * session keeps its newest 1,000 logs. Leases and times use the clock of the machine that the processes share.
 */
export function sqliteSessionStore(database: SqliteDatabase): SessionStore & SessionAdmin {
  return new SessionsInSqlite(new Connection(database));
}

/** The SessionStore and SessionAdmin on an open connection. */
export class SessionsInSqlite implements SessionStore, SessionAdmin {
  readonly #connection: Connection;
  readonly #sessions: SessionRows;
  readonly #messages: MessageRows;
  readonly #logs: LogRows;
  readonly #list: SessionList;
  readonly #usage: SessionUsage;
  readonly #due: DueSessions;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#sessions = new SessionRows(connection);
    this.#messages = new MessageRows(connection);
    this.#logs = new LogRows(connection);
    this.#list = new SessionList(connection);
    this.#usage = new SessionUsage(connection);
    this.#due = new DueSessions(connection);
  }

  create(session: NewSession): Awaitable<CreateResult> {
    checkedWholeNumber("ttlMs", session.ttlMs, 1);
    const clientData = writeLosslessJson(session.clientData);
    return this.#connection.write(() => this.#create(session, clientData));
  }

  find(ref: SessionRef): Awaitable<Session | undefined> {
    return this.#connection.read(() => this.#sessions.find(ref));
  }

  list(account: string, page: PageSize & { readonly before?: SessionPosition }): Awaitable<SessionPage> {
    return this.listSessions({ ...page, account });
  }

  listSessions(query: Parameters<SessionAdmin["listSessions"]>[0]): Awaitable<SessionPage> {
    checkedWholeNumber("limit", query.limit, 1);
    return this.#connection.read(() => this.#list.page(query));
  }

  findSession(id: string): Awaitable<SessionOverview | undefined> {
    return this.#connection.read(() => this.#sessions.overview(id));
  }

  merge(
    ref: SessionRef,
    changes: ClientDataChanges,
    limits: Pick<SessionLimits, "bytes"> = {},
  ): Awaitable<MergeResult> {
    return this.#connection.write(() => this.#merge(ref, changes, limits));
  }

  beginTurn(ref: SessionRef, turn: TurnRequest): Awaitable<TurnStart> {
    checkedWholeNumber("leaseMs", turn.leaseMs, 1);
    checkedWholeNumber("historyLimit", turn.historyLimit, 0);
    return this.#connection.write(() => this.#beginTurn(ref, turn));
  }

  renewTurn(ref: SessionRef, turn: Parameters<SessionStore["renewTurn"]>[1]): Awaitable<boolean> {
    checkedWholeNumber("leaseMs", turn.leaseMs, 1);
    return this.#connection.write(() => this.#sessions.renew(ref, turn.turnId, turn.leaseMs));
  }

  endTurn(ref: SessionRef, turn: Parameters<SessionStore["endTurn"]>[1]): Awaitable<boolean> {
    const messages = turn.messages.map((message) => JSON.stringify(message));
    const images = turn.images.map((image) => JSON.stringify(image));
    return this.#connection.write(() => {
      if (!this.#sessions.unlock(ref, turn.turnId, messages.length > 0)) return false;
      this.#messages.add(ref.id, messages, images);
      return true;
    });
  }

  appendLog(ref: SessionRef, log: WebhookLog): Awaitable<boolean> {
    const text = writeLosslessJson(log);
    return this.#connection.write(() => {
      if (this.#sessions.find(ref) === undefined) return false;
      this.#logs.add(ref.id, text);
      return true;
    });
  }

  messages(ref: SessionRef, page: PageSize & { readonly after?: number }): Awaitable<MessagePage | undefined> {
    checkedWholeNumber("limit", page.limit, 1);
    const after = checkedWholeNumber("after", page.after ?? 0, 0);
    return this.#ofSession(ref, () => this.#messages.page(ref.id, after, page));
  }

  logs(ref: SessionRef, page: PageSize & { readonly before?: number }): Awaitable<LogPage | undefined> {
    checkedWholeNumber("limit", page.limit, 1);
    const before = checkedWholeNumber("before", page.before ?? Number.MAX_SAFE_INTEGER, 0);
    return this.#ofSession(ref, () => this.#logs.page(ref.id, before, page));
  }

  delete(ref: SessionRef): Awaitable<boolean> {
    return this.#connection.write(() => this.#sessions.delete(ref));
  }

  forget(account: string): Awaitable<number> {
    return this.#connection.write(() => this.#due.forget(account));
  }

  expire(): Awaitable<number> {
    return this.#connection.write(() => this.#due.remove());
  }

  #create(session: NewSession, clientData: string): CreateResult {
    const { account, limits = {} } = session;
    const bytes = Buffer.byteLength(clientData);
    const exceeded = () => this.#usage.exceeded(account, bytes, limits);
    const isTaken = this.#sessions.has(session.id);
    const limit = isTaken ? undefined : this.#withoutExpired(account, exceeded);
    if (limit !== undefined) return { outcome: "full", limit };
    const created = this.#sessions.add(session, clientData);
    if (created !== undefined) return { outcome: "created", session: created };
    throw new Error(`The session id ${session.id} is already in use. Create another with crypto.randomUUID().`);
  }

  #merge(ref: SessionRef, changes: ClientDataChanges, { bytes }: Pick<SessionLimits, "bytes">): MergeResult {
    const current = this.#sessions.find(ref);
    if (current === undefined) return unknown;
    const merged = mergeClientData(current.clientData, changes);
    if ("problem" in merged) return { outcome: "refused", problem: merged.problem };
    const clientData = writeLosslessJson(merged.clientData);
    const growth = Buffer.byteLength(clientData) - Buffer.byteLength(writeLosslessJson(current.clientData));
    const isFull = () => growth > 0 && this.#usage.bytesBeyond(ref.account, bytes) + growth > 0;
    if (this.#withoutExpired(ref.account, isFull)) return full;
    const session = this.#sessions.setClientData(ref, clientData);
    return session === undefined ? unknown : { outcome: "merged", session };
  }

  #beginTurn(ref: SessionRef, turn: TurnRequest): TurnStart {
    const isFull = () => this.#usage.bytesBeyond(ref.account, turn.accountBytes) > 0;
    if (this.#withoutExpired(ref.account, isFull)) return this.#sessions.find(ref) === undefined ? unknown : full;
    const session = this.#sessions.lock(ref, turn);
    if (session === undefined) return this.#sessions.find(ref) === undefined ? unknown : busy;
    const history = this.#messages.historyOf(ref.id, turn);
    const { loadBytes = Number.POSITIVE_INFINITY } = turn;
    if (history.bytes <= loadBytes) return { outcome: "begun", session, ...this.#messages.load(ref.id, history) };
    this.#sessions.unlock(ref, turn.turnId, false);
    return { outcome: "larger", bytes: history.bytes };
  }

  /** Returns why an account is full. Removes its expired sessions first, but only when they make it full. */
  #withoutExpired<Reason>(account: string, check: () => Reason): Reason {
    let reason = check();
    while (reason && this.#due.removeOf(account) > 0) reason = check();
    return reason;
  }

  /** Reads a page of a session. Returns undefined when the session does not exist. */
  #ofSession<Page>(ref: SessionRef, readPage: () => Page): Awaitable<Page | undefined> {
    return this.#connection.read(() => {
      // The page is read first: another process can delete the session between the two reads, and a page read after
      // that would be empty.
      const page = readPage();
      return this.#sessions.find(ref) === undefined ? undefined : page;
    });
  }
}

const unknown = Object.freeze({ outcome: "unknown" } as const);

const full = Object.freeze({ outcome: "full" } as const);

const busy = Object.freeze({ outcome: "busy" } as const);
