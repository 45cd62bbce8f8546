import type { Awaitable } from "../runtime/awaitable.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import type { ClientData, ClientDataChanges } from "./client-data.ts";
import type { WebhookLog } from "./webhook-log.ts";

/** A session and the account whose it is. A store answers `unknown` for the session of another account. */
export interface SessionRef {
  /** A UUID made by the server. */
  readonly id: string;
  readonly account: string;
}

/** A conversation with an assistant, without its messages. */
export interface Session extends SessionRef {
  readonly assistantId: string;
  readonly clientData: ClientData;
  readonly createdAt: Date;
  /** When its client data or its messages last changed. */
  readonly updatedAt: Date;
}

/** The most that one account may have; a member that is absent sets no limit. */
export interface SessionLimits {
  /** Sessions that have not expired. */
  readonly sessions?: number;
  /** Bytes of client data, messages, images and logs together, as JSON in UTF-8. */
  readonly bytes?: number;
}

/** A session to be made, whose id is new. It lives for `ttlMs` milliseconds after its last use. */
export interface NewSession extends SessionRef {
  readonly assistantId: string;
  readonly clientData: ClientData;
  readonly ttlMs: number;
  /** What the account may have once the session is made. */
  readonly limits?: SessionLimits;
}

/** The session that was made; or which limit its account has reached, and none was made. */
export type CreateResult =
  | { readonly outcome: "created"; readonly session: Session }
  | { readonly outcome: "full"; readonly limit: keyof SessionLimits };

/**
 * The result of a merge. `refused` says what is too much, in words that follow "client_data"; `full`: the account has no
 * bytes left for it. Both changed nothing.
 */
export type MergeResult =
  | { readonly outcome: "merged"; readonly session: Session }
  | { readonly outcome: "refused"; readonly problem: string }
  | { readonly outcome: "full" }
  | { readonly outcome: "unknown" };

/** A turn that wants the session for itself. */
export interface TurnRequest {
  /** A UUID made for this turn. */
  readonly turnId: string;
  /** After this many milliseconds without a renewal another turn may begin. */
  readonly leaseMs: number;
  /** The most messages of earlier turns to give, the newest ones. */
  readonly historyLimit: number;
  /** The most bytes of those messages, as JSON in UTF-8; the newest turn is given whatever its size. Absent: no limit. */
  readonly historyBytes?: number;
  /** The most bytes that the account may have now for the turn to begin. Absent: no limit. */
  readonly accountBytes?: number;
}

/** A turn that may run, with the session as it is now; or another runs, the account is full, or there is no such session. */
export type TurnStart =
  | {
      readonly outcome: "begun";
      readonly session: Session;
      /** URLs of all images of the session's user messages, in order. */
      readonly images: readonly string[];
      /** Of whole turns, oldest first. */
      readonly messages: readonly ChatMessage[];
    }
  | { readonly outcome: "busy" | "full" | "unknown" };

/**
 * How much one page holds at most: entries, and bytes of them as JSON in UTF-8 (absent: no limit). A page has at least
 * one entry while there are any, whatever its size.
 */
export interface PageSize {
  readonly limit: number;
  readonly maxBytes?: number;
}

/** A message as it stands in a session's history. */
export interface StoredMessage {
  /** Position in the session, rising from 1; the cursor of {@link SessionStore.messages}. */
  readonly sequence: number;
  readonly at: Date;
  readonly message: ChatMessage;
}

/** One page of messages, oldest first; `next` is absent on the last page. */
export interface MessagePage {
  readonly messages: readonly StoredMessage[];
  readonly next?: number;
}

/** A log with its position in the session, rising from 1; the cursor of {@link SessionStore.logs}. */
export interface StoredLog {
  readonly sequence: number;
  readonly log: WebhookLog;
}

/** One page of logs, newest first; `next` is absent on the last page. */
export interface LogPage {
  readonly logs: readonly StoredLog[];
  readonly next?: number;
}

/** The place of a session among those of its account; the cursor of {@link SessionStore.list}. */
export type SessionPosition = Pick<Session, "createdAt" | "id">;

/** One page of sessions, newest first; `next` is absent on the last page. */
export interface SessionPage {
  readonly sessions: readonly Session[];
  readonly next?: SessionPosition;
}

/**
 * Port: the sessions of assistants, with their messages, logs, and the lock that lets one turn run at a time.
 *
 * Each verb is one atomic step and durable when it answers, for all processes that share the store. A refusal is a
 * value; a throw is an outage, which the gateway answers with 503 and does not retry. A session whose time has run out
 * is unknown, as is that of another account. All times are of the store's own clock.
 *
 * `create` makes a session, or none when its account would have more than `limits`: of many calls at once exactly as many
 * succeed as fit. Expired sessions do not count, also before a sweep. The same id again throws. `find` reads one; `list`
 * reads those of an account, newest first by `createdAt` and then by `id`, and begins behind a position, whose session
 * need not exist. `merge` applies changes of client data in the
 * order given, by `mergeClientData` of `@tollgate/core/stores`, all or none of them, also while a turn runs. It and the
 * turns count as a use, which gives the session its whole time again; reading does not. A merge that makes the session
 * larger is `full` when the account would have more than `limits.bytes`.
 *
 * Numbers of client data and of logs keep their digits: where JavaScript would round one, it is an `ExactNumber`, which
 * `writeExactJson` writes as the number that it is, and `readClientData` and `readLog` read (`@tollgate/core/stores`).
 * JSON.stringify makes strings of them, JSON.parse rounds them, and structuredClone makes other objects of them.
 *
 * `beginTurn` takes the lock unless another turn has it whose lease runs: of many that ask at once, one begins. It gives
 * at most `historyLimit` messages and begins with the first message of a turn. What `endTurn` and `appendLog` add counts
 * towards the bytes of the account and is never refused, so that no answer that was paid for is lost. `renewTurn` moves the lease to `leaseMs`
 * from now; false: this turn has the lock no longer. A turn whose lease ran out has the lock until another takes it.
 * `endTurn` appends messages and images and frees the lock in one step, or does nothing and answers false when this turn
 * has the lock no longer; with nothing to append it only frees. What one `endTurn` appends is a turn of the history.
 *
 * `appendLog` adds a log, also when the turn that made it fails or has lost its lock; it answers false when there is no
 * such session. `messages` gives those after a sequence, `logs` those before one; a store reads no more from its medium
 * than a page or a history may hold. `delete` removes the session with all
 * that it has; false: there was none. `expire` removes sessions whose time has run out and gives back how many; a large
 * backlog may take several calls.
 */
export interface SessionStore {
  create(session: NewSession): Awaitable<CreateResult>;
  find(ref: SessionRef): Awaitable<Session | undefined>;
  list(account: string, page: PageSize & { readonly before?: SessionPosition }): Awaitable<SessionPage>;
  merge(ref: SessionRef, changes: ClientDataChanges, limits?: Pick<SessionLimits, "bytes">): Awaitable<MergeResult>;
  beginTurn(ref: SessionRef, turn: TurnRequest): Awaitable<TurnStart>;
  renewTurn(ref: SessionRef, turn: { readonly turnId: string; readonly leaseMs: number }): Awaitable<boolean>;
  endTurn(
    ref: SessionRef,
    turn: {
      readonly turnId: string;
      readonly messages: readonly ChatMessage[];
      readonly images: readonly string[];
    },
  ): Awaitable<boolean>;
  appendLog(ref: SessionRef, log: WebhookLog): Awaitable<boolean>;
  messages(ref: SessionRef, page: PageSize & { readonly after?: number }): Awaitable<MessagePage | undefined>;
  logs(ref: SessionRef, page: PageSize & { readonly before?: number }): Awaitable<LogPage | undefined>;
  delete(ref: SessionRef): Awaitable<boolean>;
  expire(): Awaitable<number>;
}
