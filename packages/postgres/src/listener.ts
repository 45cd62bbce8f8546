import type { PostgresResult, PostgresStatement } from "./pool.ts";

/**
 * A connected `Client` of `pg` that nothing else uses. It must connect to the server directly or through a session
 * pooler, because a transaction pooler does not support LISTEN. The stores listen to its events and end it.
 */
export interface PostgresListener {
  query(statement: PostgresStatement): Promise<PostgresResult>;
  on(event: "notification", listener: (message: PostgresNotification) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  end(): Promise<void>;
}

/** A notification that another session has sent on a channel. */
export interface PostgresNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}
