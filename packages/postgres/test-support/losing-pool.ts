import type { PostgresPool } from "../src/index.ts";

/** A pool that does every statement, loses every other answer, and so makes the stores ask twice. */
export function losingPool(real: PostgresPool): PostgresPool {
  let asked = 0;
  return {
    connect: () => real.connect(),
    query: async (statement) => {
      const result = await real.query(statement);
      if (asked++ % 2 === 0) throw new Error("Connection terminated unexpectedly");
      return result;
    },
  };
}
