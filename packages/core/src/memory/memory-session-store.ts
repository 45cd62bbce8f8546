import { checkedWholeNumber } from "../money/checked-amount.ts";
import type { ClientDataChanges } from "../ports/client-data.ts";
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
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import { firstFitting } from "./fitting.ts";
import { MemorySession } from "./memory-session.ts";
import { MemorySessionUsage } from "./memory-session-usage.ts";

const keepSessions = 10_000;

/**
 * A SessionStore in the memory of this process, for trying out and for tests; sessions are lost at exit. Every verb is
 * one synchronous step. It keeps 10,000 sessions, those that were used last, and of each the newest 200 logs and 10,000
 * messages.
 */
export function memorySessionStore(): SessionStore {
  return new MemorySessionStore();
}

class MemorySessionStore implements SessionStore {
  /** In the order of their last use, so that the first one is the longest unused. */
  readonly #sessions = new Map<string, MemorySession>();
  readonly #usage = new MemorySessionUsage();

  create(wanted: NewSession): CreateResult {
    const { id, account, limits = {} } = wanted;
    if (this.#sessions.has(id)) {
      throw new Error("There is a session of this id already. Make a new id for each session.");
    }
    const now = Date.now();
    const made = new MemorySession(wanted, now);
    if (this.#usage.exceeded(account, made.bytes, limits) !== undefined) this.#expire(now, account);
    const limit = this.#usage.exceeded(account, made.bytes, limits);
    if (limit !== undefined) return { outcome: "full", limit };
    this.#sessions.set(id, made);
    this.#usage.change(account, 1, made.bytes);
    const [longestUnused] = this.#sessions;
    if (this.#sessions.size > keepSessions && longestUnused !== undefined) this.#remove(...longestUnused);
    return { outcome: "created", session: made.record() };
  }

  find(ref: SessionRef): Session | undefined {
    return this.#find(ref, Date.now())?.record();
  }

  list(account: string, page: PageSize & { readonly before?: SessionPosition }): SessionPage {
    checkedWholeNumber("limit", page.limit, 1);
    const now = Date.now();
    const rest = [...this.#sessions]
      .filter(([, session]) => session.account === account && !session.isOver(now))
      .map(([id, session]) => ({ id, session, createdAt: session.createdAt, bytes: session.recordBytes }))
      .filter((place) => page.before === undefined || newestFirst(positionOf(page.before), place) < 0)
      .sort(newestFirst);
    const sessions = firstFitting(rest, page).map(({ session }) => session.record());
    const last = sessions.at(-1);
    if (rest.length === sessions.length || last === undefined) return { sessions };
    return { sessions, next: { createdAt: last.createdAt, id: last.id } };
  }

  merge(
    ref: SessionRef,
    changes: ClientDataChanges,
    { bytes = Number.POSITIVE_INFINITY }: Pick<SessionLimits, "bytes"> = {},
  ): MergeResult {
    const now = Date.now();
    const session = this.#find(ref, now);
    if (session === undefined) return { outcome: "unknown" };
    const merge = () => session.merge(changes, now, bytes - this.#usage.bytesOf(ref.account));
    let result = this.#counted(session, merge);
    if (result.outcome === "full" && this.#expire(now, ref.account) > 0) result = this.#counted(session, merge);
    if (result.outcome === "merged") this.#use(ref.id, session, now);
    return result;
  }

  beginTurn(ref: SessionRef, turn: TurnRequest): TurnStart {
    checkedWholeNumber("historyLimit", turn.historyLimit, 0);
    const now = Date.now();
    const session = this.#find(ref, now);
    if (session === undefined) return { outcome: "unknown" };
    const { accountBytes = Number.POSITIVE_INFINITY } = turn;
    const isFull = () => this.#usage.bytesOf(ref.account) > accountBytes;
    if (isFull() && (this.#expire(now, ref.account) === 0 || isFull())) return { outcome: "full" };
    if (!session.lock(turn.turnId, turn.leaseMs, now)) return { outcome: "busy" };
    this.#use(ref.id, session, now);
    const { history } = session;
    return { outcome: "begun", session: session.record(), images: history.images(), messages: history.newest(turn) };
  }

  renewTurn(ref: SessionRef, { turnId, leaseMs }: { readonly turnId: string; readonly leaseMs: number }): boolean {
    const now = Date.now();
    const session = this.#find(ref, now);
    if (session === undefined || !session.hasLock(turnId)) return false;
    this.#use(ref.id, session, now);
    return session.lock(turnId, leaseMs, now);
  }

  endTurn(
    ref: SessionRef,
    turn: { readonly turnId: string; readonly messages: readonly ChatMessage[]; readonly images: readonly string[] },
  ): boolean {
    const now = Date.now();
    const session = this.#find(ref, now);
    if (session === undefined || !session.hasLock(turn.turnId)) return false;
    this.#use(ref.id, session, now);
    this.#counted(session, () => session.endTurn(turn.messages, turn.images, now));
    return true;
  }

  appendLog(ref: SessionRef, log: WebhookLog): boolean {
    const session = this.#find(ref, Date.now());
    if (session !== undefined) this.#counted(session, () => session.appendLog(log));
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

  /** Removes those of one account, or of all, whose time has run out. */
  #expire(now: number, account?: string): number {
    const over = [...this.#sessions].filter(
      ([, session]) => session.isOver(now) && (account === undefined || session.account === account),
    );
    for (const [id, session] of over) this.#remove(id, session);
    return over.length;
  }

  #remove(id: string, session: MemorySession): void {
    this.#sessions.delete(id);
    this.#usage.change(session.account, -1, -session.bytes);
  }

  /** Counts what a step changes of the session's size. */
  #counted<Result>(session: MemorySession, step: () => Result): Result {
    const before = session.bytes;
    const result = step();
    this.#usage.change(session.account, 0, session.bytes - before);
    return result;
  }

  #find({ id, account }: SessionRef, now: number): MemorySession | undefined {
    const session = this.#sessions.get(id);
    return session !== undefined && session.account === account && !session.isOver(now) ? session : undefined;
  }

  #use(id: string, session: MemorySession, now: number): void {
    session.use(now);
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
  }
}

interface Place {
  readonly createdAt: number;
  readonly id: string;
}

const positionOf = ({ createdAt, id }: SessionPosition): Place => ({ createdAt: createdAt.getTime(), id });

/** By time and then by id, both falling. */
function newestFirst(one: Place, other: Place): number {
  if (one.createdAt !== other.createdAt) return other.createdAt - one.createdAt;
  return one.id === other.id ? 0 : one.id < other.id ? 1 : -1;
}
