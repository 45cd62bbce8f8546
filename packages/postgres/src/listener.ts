import type { PostgresResult, PostgresStatement } from "./pool.ts";

/**
 * A connected `Client` of `pg` that nobody else uses. It must lead to the server itself or to a pooler that keeps a
 * session: one that pools transactions forgets who listens. The stores listen to its events and end it.
 */
export interface PostgresListener {
  query(statement: PostgresStatement): Promise<PostgresResult>;
  on(event: "notification", listener: (message: PostgresNotification) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  end(): Promise<void>;
}

/** What another session has said on a channel. */
export interface PostgresNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}
