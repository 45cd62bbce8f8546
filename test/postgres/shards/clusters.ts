import { type PostgresPool, type ShardedStores, type ShardedStoresOptions, shardedStores } from "@tollgate/postgres";
import { Pool, type PoolConfig } from "pg";
import { afterAll, beforeAll } from "vitest";
import { OwnPostgres } from "../../support/own-postgres.ts";

const names = ["a", "b", "c"] as const;

/** How long the first use of three databases may take on a busy machine, in milliseconds: each is migrated. */
export const slowMs = 120_000;

/** The name of a shard, each of which is a server of its own. */
export type ShardName = (typeof names)[number];

/** A function for each shard. */
export type OfShard<Value> = (name: ShardName) => Value;

/** Three servers, with the directory on the first one. */
export interface Clusters {
  server: OfShard<OwnPostgres>;
  /** Opens a pool, which is ended after the last test. */
  pool(name: ShardName, config?: PoolConfig): Pool;
  /** Opens the stores of another process, by default over all three shards. */
  open(schema: string, options?: Partial<ShardedStoresOptions>): Promise<ShardedStores>;
  /** New pools of the shards, for the option `shards`. */
  pools(...chosen: readonly ShardName[]): Readonly<Record<string, PostgresPool>>;
}

/** Starts three servers before the first test of the file, and stops them after the last. */
export function threeClusters(): Clusters {
  const servers = new Map<ShardName, OwnPostgres>();
  const pools: Pool[] = [];
  beforeAll(async () => {
    await Promise.all(names.map(async (name) => servers.set(name, await OwnPostgres.start())));
  }, slowMs);
  afterAll(async () => {
    await Promise.all(pools.map((each) => each.end()));
    await Promise.all([...servers.values()].map((server) => server.stop()));
  });
  const clusters: Clusters = {
    server(name) {
      const server = servers.get(name);
      if (server === undefined) throw new Error(`The server of the shard "${name}" has not started.`);
      return server;
    },
    pool(name, config = {}) {
      const options = "-c synchronous_commit=off";
      const created = new Pool({ connectionString: clusters.server(name).url, max: 4, options, ...config });
      // Without an error listener, the end of an idle connection ends the process.
      created.on("error", () => undefined);
      pools.push(created);
      return created;
    },
    pools: (...chosen) => Object.fromEntries(chosen.map((name) => [name, clusters.pool(name)])),
    open: (schema, options) =>
      shardedStores({ directory: clusters.pool("a"), shards: clusters.pools(...names), schema, ...options }),
  };
  return clusters;
}
