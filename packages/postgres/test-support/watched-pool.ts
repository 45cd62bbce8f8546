import type { PostgresPool, PostgresStatement } from "../src/index.ts";

/** A pool whose statements are noted, and those that failed. */
export interface WatchedPool extends PostgresPool {
  readonly statements: PostgresStatement[];
  readonly errors: unknown[];
}

/** Watches every statement that goes to the pool by itself. It waits for `before` first, and throws what that throws. */
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

/** Something that others wait for until it is opened. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
