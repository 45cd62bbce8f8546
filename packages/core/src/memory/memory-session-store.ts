import { checkedWholeNumber } from "../options/problems.ts";
import type { ClientDataChanges } from "../ports/client-data.ts";
import type { SessionAdmin, SessionOverview } from "../ports/session-admin.ts";
import type {
  CreateResult,
  LogPage,
  MergeResult,
  MessagePage,
  NewSession,
  PageSize,
  Session,
  SessionLimits,
  SessionPage,
  SessionPosition,
  SessionRef,
  SessionStore,
  TurnRequest,
  TurnStart,
} from "../ports/session-store.ts";
import type { WebhookLog } from "../ports/webhook-log.ts";
import { MemorySession } from "./memory-session.ts";
import { firstFitting, nextOf } from "./pages.ts";

const maxSessions = 10_000;

/**
 * Returns a SessionStore and SessionAdmin in the memory of this process, for development and tests. Sessions are lost at exit. Every method
 * is one synchronous step. It keeps the 10,000 most recently used sessions, each with its newest 200 logs and 10,000
 * messages.
 */
export function memorySessionStore(): SessionStore & SessionAdmin {
  return new MemorySessionStore();
}

class MemorySessionStore implements SessionStore, SessionAdmin {
  /** In the order of their last use, least recently used first. */
  readonly #sessions = new Map<string, MemorySession>();
  readonly #usage = new MemorySessionUsage();

  create(newSession: NewSession): CreateResult {
    const { id, account, limits = {} } = newSession;
    if (this.#sessions.has(id)) {
      throw new Error("A session with this id already exists. Create a new id for each session.");
    }
    const now = Date.now();
    const session = new MemorySession(newSession, now);
    const exceeded = () => exceededLimit(this.#usage.of(account), session.bytes, limits);
    if (exceeded() !== undefined) this.#expire(now, account);
    const limit = exceeded();
    if (limit !== undefined) return { outcome: "full", limit };
    this.#sessions.set(id, session);
    this.#usage.change(account, 1, session.bytes);
    const [leastRecentlyUsed] = this.#sessions;
    if (this.#sessions.size > maxSessions && leastRecentlyUsed !== undefined) this.#remove(...leastRecentlyUsed);
    return { outcome: "created", session: session.record() };
  }

  find(ref: SessionRef): Session | undefined {
    return this.#find(ref, Date.now())?.record();
  }

  list(account: string, page: PageSize & { readonly before?: SessionPosition }): SessionPage {
    return this.listSessions({ ...page, account });
  }

  listSessions({ account, assistantId, before, ...size }: Parameters<SessionAdmin["listSessions"]>[0]): SessionPage {
    checkedWholeNumber("limit", size.limit, 1);
    const now = Date.now();
    const rest = [...this.#sessions]
      .map(([id, session]) => ({ id, session, createdAt: session.createdAt, bytes: session.recordBytes }))
      .filter(({ session }) => !session.isExpired(now) && session.belongsTo(account, assistantId))
      .filter((entry) => before === undefined || newestFirst(before, entry) < 0)
      .sort(newestFirst);
    const sessions = firstFitting(rest, size).map(({ session }) => session.record());
    return { sessions, ...nextOf(sessions, rest.length, ({ createdAt, id }) => ({ createdAt, id })) };
  }

  findSession(id: string): SessionOverview | undefined {
    const session = this.#sessions.get(id);
    return session?.isExpired(Date.now()) ? undefined : session?.overview();
  }

  merge(
    ref: SessionRef,
    changes: ClientDataChanges,
    { bytes = Number.POSITIVE_INFINITY }: Pick<SessionLimits, "bytes"> = {},
  ): MergeResult {
    const now = Date.now();
    const session = this.#find(ref, now);
    if (session === undefined) return { outcome: "unknown" };
    const merge = () => session.merge(changes, now, bytes - this.#usage.of(ref.account).bytes);
    let result = this.#trackSize(session, merge);
    if (result.outcome === "full" && this.#expire(now, ref.account) > 0) result = this.#trackSize(session, merge);
    if (result.outcome === "merged") this.#use(ref.id, session, now);
    return result;
  }

  beginTurn(ref: SessionRef, turn: TurnRequest): TurnStart {
    checkedWholeNumber("historyLimit", turn.historyLimit, 0);
    const now = Date.now();
    const session = this.#find(ref, now);
    if (session === undefined) return { outcome: "unknown" };
    const { accountBytes = Number.POSITIVE_INFINITY } = turn;
    const isFull = () => this.#usage.of(ref.account).bytes > accountBytes;
    if (isFull() && (this.#expire(now, ref.account) === 0 || isFull())) return { outcome: "full" };
    if (!session.lock(turn.turnId, turn.leaseMs, now)) return { outcome: "busy" };
    this.#use(ref.id, session, now);
    const loaded = session.history.load(turn);
    if (typeof loaded !== "number") return { outcome: "begun", session: session.record(), ...loaded };
    session.endTurn([], [], now);
    return { outcome: "larger", bytes: loaded };
  }

  renewTurn(ref: SessionRef, { turnId, leaseMs }: Parameters<SessionStore["renewTurn"]>[1]): boolean {
    const now = Date.now();
    const session = this.#find(ref, now);
    if (session === undefined || !session.hasLock(turnId)) return false;
    this.#use(ref.id, session, now);
    return session.lock(turnId, leaseMs, now);
  }

  endTurn(ref: SessionRef, turn: Parameters<SessionStore["endTurn"]>[1]): boolean {
    const now = Date.now();
    const session = this.#find(ref, now);
    if (session === undefined || !session.hasLock(turn.turnId)) return false;
    this.#use(ref.id, session, now);
    this.#trackSize(session, () => session.endTurn(turn.messages, turn.images, now));
    return true;
  }

  appendLog(ref: SessionRef, log: WebhookLog): boolean {
    const session = this.#find(ref, Date.now());
    if (session !== undefined) this.#trackSize(session, () => session.appendLog(log));
    return session !== undefined;
  }

  messages(ref: SessionRef, page: PageSize & { readonly after?: number }): MessagePage | undefined {
    checkedWholeNumber("limit", page.limit, 1);
    return this.#find(ref, Date.now())?.history.page(page.after ?? 0, page);
  }

  logs(ref: SessionRef, page: PageSize & { readonly before?: number }): LogPage | undefined {
    checkedWholeNumber("limit", page.limit, 1);
    return this.#find(ref, Date.now())?.logs(page.before ?? Number.POSITIVE_INFINITY, page);
  }

  delete(ref: SessionRef): boolean {
    const session = this.#find(ref, Date.now());
    if (session !== undefined) this.#remove(ref.id, session);
    return session !== undefined;
  }

  expire(): number {
    return this.#expire(Date.now());
  }

  forget(account: string): number {
    const own = [...this.#sessions].filter(([, session]) => session.account === account);
    for (const [id, session] of own) this.#remove(id, session);
    return own.length;
  }

  /** Removes the expired sessions of one account, or of all accounts. */
  #expire(now: number, account?: string): number {
    const expired = [...this.#sessions].filter(
      ([, session]) => session.isExpired(now) && (account === undefined || session.account === account),
    );
    for (const [id, session] of expired) this.#remove(id, session);
    return expired.length;
  }

  #remove(id: string, session: MemorySession): void {
    this.#sessions.delete(id);
    this.#usage.change(session.account, -1, -session.bytes);
  }

  /** Runs a step and updates the account's usage by the change of the session's size. */
  #trackSize<Result>(session: MemorySession, step: () => Result): Result {
    const before = session.bytes;
    const result = step();
    this.#usage.change(session.account, 0, session.bytes - before);
    return result;
  }

  #find({ id, account }: SessionRef, now: number): MemorySession | undefined {
    const session = this.#sessions.get(id);
    return session !== undefined && session.account === account && !session.isExpired(now) ? session : undefined;
  }

  #use(id: string, session: MemorySession, now: number): void {
    session.use(now);
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
  }
}

/** Compares by time and then by id, both descending. */
function newestFirst(a: SessionPosition, b: SessionPosition): number {
  const time = b.createdAt.getTime() - a.createdAt.getTime();
  if (time !== 0) return time;
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1;
}

/** Tracks the number and the bytes of the sessions of each account. */
class MemorySessionUsage {
  readonly #accounts = new Map<string, Required<SessionLimits>>();

  /** Returns the sessions of an account and their bytes. */
  of(account: string): Required<SessionLimits> {
    return this.#accounts.get(account) ?? none;
  }

  change(account: string, sessions: number, bytes: number): void {
    const used = this.of(account);
    const after = { sessions: used.sessions + sessions, bytes: used.bytes + bytes };
    if (after.sessions === 0) this.#accounts.delete(account);
    else this.#accounts.set(account, after);
  }
}

const none = { sessions: 0, bytes: 0 };

/** Returns the limit that an account would exceed with one more session of this size. */
export function exceededLimit(
  used: Required<SessionLimits>,
  bytes: number,
  limits: SessionLimits,
): keyof SessionLimits | undefined {
  if (used.sessions + 1 > (limits.sessions ?? Number.POSITIVE_INFINITY)) return "sessions";
  return used.bytes + bytes > (limits.bytes ?? Number.POSITIVE_INFINITY) ? "bytes" : undefined;
}
