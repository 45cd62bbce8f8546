import type { Limiter } from "@tollgate/core/store";
import { postgresLimiter } from "@tollgate/postgres";
import { redisLimiter } from "@tollgate/redis";
import { Pool } from "pg";
import { createClient } from "redis";

/** The address of limits that several processes can open. */
export type LimiterAddress =
  | { readonly kind: "redis"; readonly url: string; readonly prefix: string }
  /** A migrated schema. */
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
  const options = { prefix: address.prefix, onOutage: "reject", timeoutMs: 5_000 } as const;
  return { limiter: redisLimiter(client, options), close: () => client.close() };
}
