import type { ClientDataChanges } from "../assistant/client-data.ts";
import { checkedWholeNumber } from "../money/checked-amount.ts";
import type {
  LogPage,
  MergeResult,
  MessagePage,
  NewSession,
  Session,
  SessionRef,
  SessionStore,
  TurnRequest,
  TurnStart,
} from "../ports/session-store.ts";
import type { WebhookLog } from "../webhook/webhook-log.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import { MemorySession } from "./memory-session.ts";

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

  create(session: NewSession): Session {
    if (this.#sessions.has(session.id)) {
      throw new Error("There is a session of this id already. Make a new id for each session.");
    }
    const made = new MemorySession(session, Date.now());
    this.#sessions.set(session.id, made);
    const [longestUnused] = this.#sessions.keys();
    if (this.#sessions.size > keepSessions && longestUnused !== undefined) this.#sessions.delete(longestUnused);
    return made.record();
  }

  find(ref: SessionRef): Session | undefined {
    return this.#find(ref, Date.now())?.record();
  }

  merge(ref: SessionRef, changes: ClientDataChanges): MergeResult {
    const now = Date.now();
    const session = this.#find(ref, now);
    if (session === undefined) return { outcome: "unknown" };
    const result = session.merge(changes, now);
    if (result.outcome === "merged") this.#use(ref.id, session, now);
    return result;
  }

  beginTurn(ref: SessionRef, { turnId, leaseMs, historyLimit }: TurnRequest): TurnStart {
    checkedWholeNumber("historyLimit", historyLimit, 0);
    const now = Date.now();
    const session = this.#find(ref, now);
    if (session === undefined) return { outcome: "unknown" };
    if (!session.lock(turnId, leaseMs, now)) return { outcome: "busy" };
    this.#use(ref.id, session, now);
    const { history } = session;
    return {
      outcome: "begun",
      session: session.record(),
      images: history.images(),
      messages: history.newest(historyLimit),
    };
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
    session.endTurn(turn.messages, turn.images, now);
    return true;
  }

  appendLog(ref: SessionRef, log: WebhookLog): boolean {
    const session = this.#find(ref, Date.now());
    session?.appendLog(log);
    return session !== undefined;
  }

  messages(ref: SessionRef, page: { readonly limit: number; readonly after?: number }): MessagePage | undefined {
    return this.#find(ref, Date.now())?.history.page(checkedWholeNumber("limit", page.limit, 1), page.after ?? 0);
  }

  logs(ref: SessionRef, page: { readonly limit: number; readonly before?: number }): LogPage | undefined {
    const limit = checkedWholeNumber("limit", page.limit, 1);
    return this.#find(ref, Date.now())?.logs(limit, page.before ?? Number.POSITIVE_INFINITY);
  }

  delete(ref: SessionRef): boolean {
    return this.#find(ref, Date.now()) !== undefined && this.#sessions.delete(ref.id);
  }

  expire(): number {
    const now = Date.now();
    const over = [...this.#sessions].filter(([, session]) => session.isOver(now));
    for (const [id] of over) this.#sessions.delete(id);
    return over.length;
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
