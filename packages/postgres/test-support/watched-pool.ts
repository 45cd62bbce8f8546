import type { PostgresPool, PostgresStatement } from "../src/index.ts";

/** A pool that records its statements and errors. */
export interface WatchedPool extends PostgresPool {
  readonly statements: PostgresStatement[];
  readonly errors: unknown[];
}

/**
 * Records the statements that run outside of a transaction. Each first waits for `before`, and fails if `before`
 * throws.
 */
export function watchedPool(
  pool: PostgresPool,
  before: (statement: PostgresStatement) => void | Promise<void> = () => undefined,
): WatchedPool {
  const statements: PostgresStatement[] = [];
  const errors: unknown[] = [];
  return {
    statements,
    errors,
    connect: () => pool.connect(),
    query: async (statement) => {
      statements.push(statement);
      try {
        await before(statement);
        return await pool.query(statement);
      } catch (error) {
        errors.push(error);
        throw error;
      }
    },
  };
}

/** Creates a promise that resolves when `open` is called. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
