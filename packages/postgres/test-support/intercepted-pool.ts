import type { PostgresConnection, PostgresPool, PostgresResult, PostgresStatement } from "../src/index.ts";

/** Runs a statement in place of a connection. */
export type Intercept = (statement: PostgresStatement, run: () => Promise<PostgresResult>) => Promise<PostgresResult>;

/** A pool of which every statement is intercepted, also in transactions. */
export function interceptedPool(pool: PostgresPool, intercept: Intercept): PostgresPool {
  const within = (connection: PostgresConnection): PostgresConnection => ({
    query: (statement) => intercept(statement, () => connection.query(statement)),
    on: (event, listener) => connection.on(event, listener),
    off: (event, listener) => connection.off(event, listener),
    release: (destroy) => connection.release(destroy),
  });
  return {
    query: (statement) => intercept(statement, () => pool.query(statement)),
    connect: () => pool.connect().then(within),
  };
}
