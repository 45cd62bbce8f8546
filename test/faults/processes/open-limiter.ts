import type { Limiter } from "@tollgate/core/store";
import { type PostgresPool, postgresLimiter } from "@tollgate/postgres";
import { redisLimiter } from "@tollgate/redis";
import { Pool } from "pg";
import { createClient } from "redis";
import { limiterRewrites, StatementMutator } from "./statement-mutations.ts";

/** The address of limits that several processes can open. With `mutated`, tokens are refunded to later windows. */
export type LimiterAddress =
  | { readonly kind: "redis"; readonly url: string; readonly prefix: string; readonly mutated: boolean }
  /** A migrated schema. A mutation is in its functions. */
  | { readonly kind: "postgres"; readonly url: string; readonly schema: string };

/** A limiter and a function that closes its connection. */
export interface OpenLimiter {
  readonly limiter: Limiter;
  close(): Promise<void>;
}

/** Opens a limiter. It waits for a connection, and rejects calls during an outage, since a local share would not count. */
export function openLimiter(address: LimiterAddress): OpenLimiter {
  if (address.kind === "postgres") {
    const pool = new Pool({ connectionString: address.url, max: 4 });
    // Without an error listener, the end of an idle connection ends the process.
    pool.on("error", () => undefined);
    return { limiter: postgresLimiter(pool, { schema: address.schema }), close: () => pool.end() };
  }
  const client = createClient({ url: address.url });
  client.on("error", () => undefined);
  void client.connect();
  const mutator = new StatementMutator(address.mutated ? limiterRewrites.redis : []);
  const mutatedClient = {
    // Replies like a server without cached scripts, so that each script is sent as text.
    evalSha: () => Promise.reject(new Error("NOSCRIPT")),
    eval: (script: string, options: { keys: string[]; arguments: string[] }) =>
      client.eval(mutator.apply(script), options),
  };
  const options = { prefix: address.prefix, onOutage: "reject", timeoutMs: 5_000 } as const;
  return { limiter: redisLimiter(address.mutated ? mutatedClient : client, options), close: () => client.close() };
}

/** Returns the pool with the mutation in the functions that a migration creates. */
export function withMutatedLimits(pool: Pool): PostgresPool {
  const mutator = new StatementMutator(limiterRewrites.postgres);
  return {
    query: (statement) => pool.query(statement),
    connect: async () => {
      const connection = await pool.connect();
      return {
        query: ({ text, values }) => connection.query(mutator.apply(text), values),
        on: (event, listener) => connection.on(event, listener),
        off: (event, listener) => connection.off(event, listener),
        release: (destroy) => connection.release(destroy),
      };
    },
  };
}
