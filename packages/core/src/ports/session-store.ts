import type { Awaitable } from "../runtime/awaitable.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import type { ClientData, ClientDataChanges } from "./client-data.ts";
import type { WebhookLog } from "./webhook-log.ts";

/** A session and the account that owns it. For a session of another account, a store returns `unknown`. */
export interface SessionRef {
  /** A UUID, which the gateway creates. */
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

/** Limits per account. An absent member means no limit. */
export interface SessionLimits {
  /** Maximum number of sessions that have not expired. */
  readonly sessions?: number;
  /** Maximum bytes of client data, messages, images and logs together, as JSON in UTF-8. */
  readonly bytes?: number;
}

/** A session to create, with a new id. It expires `ttlMs` milliseconds after its last use. */
export interface NewSession extends SessionRef {
  readonly assistantId: string;
  readonly clientData: ClientData;
  readonly ttlMs: number;
  /** Limits of the account, including the new session. */
  readonly limits?: SessionLimits;
}

/** The created session; or the limit that the account has reached, and no session was created. */
export type CreateResult =
  | { readonly outcome: "created"; readonly session: Session }
  | { readonly outcome: "full"; readonly limit: keyof SessionLimits };

/**
 * The result of a merge. `refused`: the client data would exceed a limit; `problem` continues a sentence that begins with
 * "client_data". `full`: the account would exceed its limit of bytes. Neither changed anything.
 */
export type MergeResult =
  | { readonly outcome: "merged"; readonly session: Session }
  | { readonly outcome: "refused"; readonly problem: string }
  | { readonly outcome: "full" }
  | { readonly outcome: "unknown" };

/** A turn that requests the lock of a session. */
export interface TurnRequest {
  /** A UUID of this turn. */
  readonly turnId: string;
  /** After this many milliseconds without renewal, another turn may take the lock. */
  readonly leaseMs: number;
  /** Maximum number of messages of earlier turns to return, the newest ones. */
  readonly historyLimit: number;
  /** Maximum bytes of those messages, as JSON in UTF-8. The newest turn is always returned. Absent: no limit. */
  readonly historyBytes?: number;
  /** Maximum bytes of those messages and of all images to read from storage and return. Absent: no limit. */
  readonly loadBytes?: number;
  /** The turn may begin only if the account has at most this many bytes. Absent: no limit. */
  readonly accountBytes?: number;
}

/**
 * The session as it is now, whose lock the turn has; or another turn has it, the account is full, or the session is unknown.
 * `larger`: its messages and images have this many bytes, which is more than `loadBytes`, and the turn has no lock.
 */
export type TurnStart =
  | {
      readonly outcome: "begun";
      readonly session: Session;
      /** URLs of all images of the session's user messages, in order. */
      readonly images: readonly string[];
      /** Messages of whole turns, oldest first. */
      readonly messages: readonly ChatMessage[];
    }
  | { readonly outcome: "larger"; readonly bytes: number }
  | { readonly outcome: "busy" | "full" | "unknown" };

/**
 * The maximum size of a page: entries, and their bytes as JSON in UTF-8 (absent: no limit). A page has at least one entry
 * if there are any, even one that exceeds `maxBytes`.
 */
export interface PageSize {
  readonly limit: number;
  readonly maxBytes?: number;
}

/** A message in the history of a session. */
export interface StoredMessage {
  /** Position in the session, ascending from 1. The cursor of {@link SessionStore.messages}. */
  readonly sequence: number;
  readonly at: Date;
  readonly message: ChatMessage;
}

/** One page of messages, oldest first; `next` is absent on the last page. */
export interface MessagePage {
  readonly messages: readonly StoredMessage[];
  readonly next?: number;
}

/** A log with its position in the session, ascending from 1, which is the cursor of {@link SessionStore.logs}. */
export interface StoredLog {
  readonly sequence: number;
  readonly log: WebhookLog;
}

/** One page of logs, newest first; `next` is absent on the last page. */
export interface LogPage {
  readonly logs: readonly StoredLog[];
  readonly next?: number;
}

/** The position of a session among those of its account. The cursor of {@link SessionStore.list}. */
export type SessionPosition = Pick<Session, "createdAt" | "id">;

/** One page of sessions, newest first; `next` is absent on the last page. */
export interface SessionPage {
  readonly sessions: readonly Session[];
  readonly next?: SessionPosition;
}

/**
 * Port: stores the sessions of assistants with their messages and logs, and the lock that lets one turn run at a time.
 *
 * Each method is one atomic step for all processes that share the store, and durable when it resolves. A refusal is a
 * value. A throw is an outage, which the gateway answers with 503 and does not retry. An expired session is unknown, and so
 * is one of another account. All times are of the store's own clock.
 *
 * Numbers in client data and logs keep their digits. A number that JavaScript would round is an `LosslessNumber`: write it
 * with `writeLosslessJson`, and read it with `readClientData` and `readLog` (`@tollgate/core/store`). JSON.stringify,
 * JSON.parse and structuredClone do not preserve it.
 */
export interface SessionStore {
  /**
   * Creates a session, unless its account would then exceed `limits`. Of many concurrent calls, exactly as many succeed as
   * fit. Expired sessions do not count, even before they are removed. Throws for an id that exists.
   */
  create(session: NewSession): Awaitable<CreateResult>;
  /** Returns a session; undefined if it is unknown. Does not extend its life. */
  find(ref: SessionRef): Awaitable<Session | undefined>;
  /** Returns sessions of an account, newest first by `createdAt` and then by `id`, after a position whose session need not exist. */
  list(account: string, page: PageSize & { readonly before?: SessionPosition }): Awaitable<SessionPage>;
  /**
   * Applies changes of client data in order, all or none of them, with `mergeClientData` of `@tollgate/core/store`. It
   * also works while a turn runs. It counts as a use, which extends the life of the session. A merge that makes the
   * session larger is `full` if the account would then exceed `limits.bytes`.
   */
  merge(ref: SessionRef, changes: ClientDataChanges, limits?: Pick<SessionLimits, "bytes">): Awaitable<MergeResult>;
  /**
   * Takes the lock, unless another turn has it with a lease that has not expired. Of many concurrent calls, one succeeds.
   * Counts as a use. Returns at most `historyLimit` messages, beginning with the first message of a turn.
   */
  beginTurn(ref: SessionRef, turn: TurnRequest): Awaitable<TurnStart>;
  /**
   * Extends the lease to `leaseMs` from now. False: this turn no longer has the lock. A turn whose lease has expired keeps
   * the lock until another turn takes it. Counts as a use.
   */
  renewTurn(ref: SessionRef, turn: { readonly turnId: string; readonly leaseMs: number }): Awaitable<boolean>;
  /**
   * Appends messages and images as one turn of the history, and releases the lock; false, and nothing is appended, if this
   * turn no longer has the lock. Without messages and images it only releases the lock. What it appends counts towards the
   * bytes of the account and is never refused, so that no paid reply is lost. Counts as a use.
   */
  endTurn(
    ref: SessionRef,
    turn: {
      readonly turnId: string;
      readonly messages: readonly ChatMessage[];
      readonly images: readonly string[];
    },
  ): Awaitable<boolean>;
  /**
   * Appends a log; false if the session is unknown. The turn that made it may have failed or lost its lock. A log counts
   * towards the bytes of the account and is never refused.
   */
  appendLog(ref: SessionRef, log: WebhookLog): Awaitable<boolean>;
  /** Returns messages after a sequence number; undefined if the session is unknown. Reads no more from storage than a page may hold. */
  messages(ref: SessionRef, page: PageSize & { readonly after?: number }): Awaitable<MessagePage | undefined>;
  /** Returns logs before a sequence number; undefined if the session is unknown. Reads no more from storage than a page may hold. */
  logs(ref: SessionRef, page: PageSize & { readonly before?: number }): Awaitable<LogPage | undefined>;
  /** Removes a session with its messages, images and logs; false if it is unknown. */
  delete(ref: SessionRef): Awaitable<boolean>;
  /** Removes expired sessions and returns how many. A large backlog may take several calls. */
  expire(): Awaitable<number>;
}
