import type { PostgresPool } from "../src/index.ts";

/** A pool that runs every statement but loses every second response, so that the stores retry. */
export function losingPool(real: PostgresPool): PostgresPool {
  let count = 0;
  return {
    connect: () => real.connect(),
    query: async (statement) => {
      const result = await real.query(statement);
      if (count++ % 2 === 0) throw new Error("Connection terminated unexpectedly");
      return result;
    },
  };
}
