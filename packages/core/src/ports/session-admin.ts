import type { Awaitable } from "../runtime/awaitable.ts";
import type { PageSize, Session, SessionPage, SessionPosition } from "./session-store.ts";

/** A session with its sizes. */
export interface SessionOverview extends Session {
  /** The number of turns in its history. */
  readonly turns: number;
  readonly expiresAt: Date;
}

/** Port: finds sessions without naming their account, and removes those of an account. For operators, since it crosses accounts. A throw is an outage. */
export interface SessionAdmin {
  /** Returns sessions of all accounts, or of those that match, newest first, after a position whose session need not exist. */
  listSessions(
    query: PageSize & {
      readonly account?: string;
      readonly assistantId?: string;
      readonly before?: SessionPosition;
    },
  ): Awaitable<SessionPage>;
  /** Returns a session; undefined if it is unknown or has expired. */
  findSession(id: string): Awaitable<SessionOverview | undefined>;
  /**
   * Removes all sessions of an account with their messages, images and logs, and returns how many. A turn that runs in one
   * appends nothing. A large number may take several calls, of which the last returns 0.
   */
  forget(account: string): Awaitable<number>;
}
