import { requireKnown } from "@tollgate/core/internal";
import { writeLosslessJson } from "@tollgate/core/provider";
import {
  type ClientDataChanges,
  type CreateResult,
  checkedWholeNumber,
  type LogPage,
  type MergeResult,
  type MessagePage,
  type NewSession,
  type Session,
  type SessionAdmin,
  type SessionLimits,
  type SessionOverview,
  type SessionPage,
  type SessionRef,
  type SessionStore,
  type TurnRequest,
  type TurnStart,
  type WebhookLog,
} from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import { SessionMerges } from "./session-merges.ts";
import { readLogs, readMessages, readOverview, readSessions, toSession } from "./session-pages.ts";
import { beginTurn, endTurn, renewTurn } from "./session-turns.ts";
import { appendLogStatement } from "./statements/session-pages.ts";
import {
  createSessionStatement,
  endSessionStatement,
  expireAccountStatement,
  expireSessionsStatement,
  findSessionStatement,
  forgetSessionsStatement,
  removeSessionStatement,
} from "./statements/sessions.ts";

/**
 * A SessionStore and SessionAdmin in PostgreSQL, on tables that {@link migratePostgres} creates in the schema ("tollgate" by default).
 * Any number of processes can share it, through any pooler. It keeps the newest 1,000 logs of a session. In addition to
 * the permissions of the other stores, its role needs DELETE on the tables `session` and `session_log`.
 */
export function postgresSessionStore(
  pool: PostgresPool,
  options: { readonly schema?: string } = {},
): SessionStore & SessionAdmin {
  requireKnown("postgresSessionStore", options, { schema: true });
  return new SessionsInPostgres(new Database(pool, options.schema));
}

// One sweep must take much less time than the statement timeout of the host.
const sweep = { sessions: 100, rows: 1_000 } as const;

/** The SessionStore and SessionAdmin on one database. */
export class SessionsInPostgres implements SessionStore, SessionAdmin {
  readonly #database: Database;
  readonly #merges: SessionMerges;

  constructor(database: Database) {
    this.#database = database;
    this.#merges = new SessionMerges(database);
  }

  async create(session: NewSession): Promise<CreateResult> {
    checkedWholeNumber("ttlMs", session.ttlMs, 1);
    const call = crypto.randomUUID();
    return this.#withoutExpired(session.account, () => this.#create(session, call));
  }

  async find(ref: SessionRef): Promise<Session | undefined> {
    const [row] = await this.#database.runFor(findSessionStatement, ref);
    return row && toSession(row);
  }

  async list(account: string, page: Parameters<SessionStore["list"]>[1]): Promise<SessionPage> {
    return readSessions(this.#database, { ...page, account });
  }

  async listSessions(query: Parameters<SessionAdmin["listSessions"]>[0]): Promise<SessionPage> {
    return readSessions(this.#database, query);
  }

  async findSession(id: string): Promise<SessionOverview | undefined> {
    return readOverview(this.#database, id);
  }

  async merge(
    ref: SessionRef,
    changes: ClientDataChanges,
    limits?: Pick<SessionLimits, "bytes">,
  ): Promise<MergeResult> {
    return this.#withoutExpired(ref.account, () => this.#merges.merge(ref, changes, limits));
  }

  async beginTurn(ref: SessionRef, turn: TurnRequest): Promise<TurnStart> {
    return this.#withoutExpired(ref.account, () => beginTurn(this.#database, ref, turn));
  }

  async renewTurn(ref: SessionRef, turn: Parameters<SessionStore["renewTurn"]>[1]): Promise<boolean> {
    return renewTurn(this.#database, ref, turn);
  }

  async endTurn(ref: SessionRef, turn: Parameters<SessionStore["endTurn"]>[1]): Promise<boolean> {
    return endTurn(this.#database, ref, turn);
  }

  async appendLog(ref: SessionRef, log: WebhookLog): Promise<boolean> {
    const values = [crypto.randomUUID(), writeLosslessJson(log)];
    return (await this.#database.runFor(appendLogStatement, ref, values)).length > 0;
  }

  async messages(ref: SessionRef, page: Parameters<SessionStore["messages"]>[1]): Promise<MessagePage | undefined> {
    return readMessages(this.#database, ref, page);
  }

  async logs(ref: SessionRef, page: Parameters<SessionStore["logs"]>[1]): Promise<LogPage | undefined> {
    return readLogs(this.#database, ref, page);
  }

  async delete(ref: SessionRef): Promise<boolean> {
    const call = crypto.randomUUID();
    const ended = await this.#database.runFor(endSessionStatement, ref, [call]);
    if (ended.length === 0) return false;
    // If this fails, the session is already unknown, and a sweep removes its rows.
    await this.#database.run(removeSessionStatement, [ref.id, call]);
    return true;
  }

  async forget(account: string): Promise<number> {
    return this.#database.removeExpired(forgetSessionsStatement, [sweep.sessions, sweep.rows, account]);
  }

  async expire(): Promise<number> {
    return this.#database.removeExpired(expireSessionsStatement, [sweep.sessions, sweep.rows]);
  }

  async #create({ id, account, assistantId, clientData, ttlMs, limits = {} }: NewSession, call: string) {
    const { sessions = null, bytes = null } = limits;
    const values = [id, account, assistantId, writeLosslessJson(clientData), ttlMs, call, sessions, bytes];
    const row = await this.#database.insert(createSessionStatement, values);
    const outcome = row.oneOf("outcome", ["created", "taken", "sessions", "bytes"]);
    if (outcome === "created") return { outcome, session: toSession(row) };
    if (outcome === "taken")
      throw new Error(`The session id ${id} is already in use. Create another with crypto.randomUUID().`);
    return { outcome: "full", limit: outcome } as const;
  }

  /** Runs the attempt. While the account is full, removes its expired sessions and retries. */
  async #withoutExpired<Result extends { readonly outcome: string }>(
    account: string,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    let result = await attempt();
    while (result.outcome === "full") {
      const row = await this.#database.runForOne(expireAccountStatement, [sweep.sessions, sweep.rows, account]);
      if (Number(row.text("expired")) === 0) break;
      result = await attempt();
    }
    return result;
  }
}
