/** A statement in the form that `pg` accepts. */
export interface PostgresStatement {
  /** The name under which a connection prepares the text, once. Absent: the text is prepared for this call alone. */
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** The members of a query result that the stores read. */
export interface PostgresResult {
  readonly rows: readonly unknown[];
}

/** A client of `pg` on which the host has begun a transaction: a `Client`, or one that `pool.connect()` returned. */
export interface PostgresClient {
  query(statement: PostgresStatement): Promise<PostgresResult>;
}

/** The methods of a pool's connection that the stores call. */
export interface PostgresConnection {
  query(statement: PostgresStatement): Promise<PostgresResult>;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  release(destroy?: boolean): void;
}

/** A `Pool` of `pg`. The host creates it, listens to its `error` event, and ends it. */
export interface PostgresPool {
  query(statement: PostgresStatement): Promise<PostgresResult>;
  connect(): Promise<PostgresConnection>;
}

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
