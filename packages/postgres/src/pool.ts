/** One statement, as `pg` takes it. */
export interface PostgresStatement {
  readonly text: string;
  readonly values?: unknown[];
}

/** What a statement gives back, as far as the stores read it. */
export interface PostgresResult {
  readonly rows: readonly unknown[];
}

/** The calls that are made on one connection of a pool. */
export interface PostgresConnection {
  query(statement: PostgresStatement): Promise<PostgresResult>;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  release(destroy?: boolean): void;
}

/** A `Pool` of `pg`. The host makes it, listens to its `error` event, and ends it. */
export interface PostgresPool {
  query(statement: PostgresStatement): Promise<PostgresResult>;
  connect(): Promise<PostgresConnection>;
}
