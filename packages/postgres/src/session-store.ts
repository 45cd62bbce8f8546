import { writeExactJson } from "@tollgate/core/provider";
import type {
  ClientDataChanges,
  CreateResult,
  LogPage,
  MergeResult,
  MessagePage,
  NewSession,
  Session,
  SessionLimits,
  SessionPage,
  SessionRef,
  SessionStore,
  TurnRequest,
  TurnStart,
  WebhookLog,
} from "@tollgate/core/store";
import { checkedWholeNumber } from "@tollgate/core/store";
import { Database } from "./database.ts";
import { isUniqueViolation } from "./database-error.ts";
import type { PostgresPool } from "./pool.ts";
import { SessionMerges } from "./session-merges.ts";
import { readLogs, readMessages, readSessions } from "./session-pages.ts";
import { runForSession, toSession } from "./session-row.ts";
import { beginTurn, endTurn, renewTurn } from "./session-turns.ts";
import { appendLogStatement } from "./statements/session-pages.ts";
import {
  createSessionStatement,
  endSessionStatement,
  expireAccountStatement,
  expireSessionsStatement,
  findSessionStatement,
  removeSessionStatement,
} from "./statements/sessions.ts";

/**
 * A SessionStore in PostgreSQL, whose tables {@link migratePostgres} has made in the schema ("tollgate" when absent).
 * Any number of processes may share it, through any pooler. It keeps the newest 1,000 logs of a session. Besides what
 * the other stores need, its role needs the right to DELETE from the tables `session` and `session_log`.
 */
export function postgresSessionStore(pool: PostgresPool, options: { readonly schema?: string } = {}): SessionStore {
  return new SessionsInPostgres(new Database(pool, options.schema));
}

// What one sweep removes must fit well into the time that the host allows a statement.
const sweep = { sessions: 100, rows: 1_000 } as const;
// A call is to answer within the time that a gateway gives its stores; it calls again for more.
const mostSweeps = 10;

/** The SessionStore of one database. */
export class SessionsInPostgres implements SessionStore {
  readonly #database: Database;
  readonly #merges: SessionMerges;

  constructor(database: Database) {
    this.#database = database;
    this.#merges = new SessionMerges(database);
  }

  async create(wanted: NewSession): Promise<CreateResult> {
    checkedWholeNumber("ttlMs", wanted.ttlMs, 1);
    const call = crypto.randomUUID();
    return this.#withoutExpired(wanted.account, () => this.#create(wanted, call));
  }

  async find(ref: SessionRef): Promise<Session | undefined> {
    const [row] = await runForSession(this.#database, findSessionStatement, ref);
    return row && toSession(row);
  }

  async list(account: string, page: Parameters<SessionStore["list"]>[1]): Promise<SessionPage> {
    return readSessions(this.#database, account, page);
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
    const values = [crypto.randomUUID(), writeExactJson(log)];
    return (await runForSession(this.#database, appendLogStatement, ref, values)).length > 0;
  }

  async messages(ref: SessionRef, page: Parameters<SessionStore["messages"]>[1]): Promise<MessagePage | undefined> {
    return readMessages(this.#database, ref, page);
  }

  async logs(ref: SessionRef, page: Parameters<SessionStore["logs"]>[1]): Promise<LogPage | undefined> {
    return readLogs(this.#database, ref, page);
  }

  async delete(ref: SessionRef): Promise<boolean> {
    const call = crypto.randomUUID();
    const ended = await runForSession(this.#database, endSessionStatement, ref, [call]);
    if (ended.length === 0) return false;
    // Should it fail, the session is as good as gone: it can only be swept.
    await this.#database.run(removeSessionStatement, [ref.id, call]);
    return true;
  }

  async expire(): Promise<number> {
    let total = 0;
    for (let sweeps = 0; sweeps < mostSweeps; sweeps++) {
      const row = await this.#database.runForOne(expireSessionsStatement, [sweep.sessions, sweep.rows]);
      const expired = Number(row.text("expired"));
      if (expired === 0) break;
      total += expired;
    }
    return total;
  }

  async #create({ id, account, assistantId, clientData, ttlMs, limits = {} }: NewSession, call: string) {
    const { sessions = null, bytes = null } = limits;
    const values = [id, account, assistantId, writeExactJson(clientData), ttlMs, call, sessions, bytes];
    const row = await this.#database.runForOne(createSessionStatement, values).catch((error: unknown) => {
      // Another call has made it since this statement began, and the next one sees it.
      if (isUniqueViolation(error)) return this.#database.runForOne(createSessionStatement, values);
      throw error;
    });
    const outcome = row.oneOf("outcome", ["created", "taken", "sessions", "bytes"]);
    if (outcome === "created") return { outcome, session: toSession(row) };
    if (outcome === "taken") throw new Error(`The session id ${id} is taken. Make a new one for each session.`);
    return { outcome: "full", limit: outcome } as const;
  }

  /** Tries again what an account is too full for, as long as it has expired sessions, which are removed first. */
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
