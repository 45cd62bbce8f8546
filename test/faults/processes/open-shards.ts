import {
  type PostgresConnection,
  type PostgresPool,
  type PostgresStatement,
  type ShardedStores,
  shardedStores,
} from "@tollgate/postgres";
import { Pool } from "pg";

/** The URLs of the databases of a sharded system, by the names of the shards. The first one has the directory. */
export type ShardUrls = Readonly<Record<string, string>>;

/** Changes a statement before it is sent. */
export type Mutate = (statement: PostgresStatement) => PostgresStatement;

/** Opens the stores over shards, whose databases were migrated. */
export async function openShards(
  urls: ShardUrls,
  mutate: Mutate = (statement) => statement,
): Promise<{ readonly stores: ShardedStores; close(): Promise<void> }> {
  const pools: Pool[] = [];
  const open = (connectionString: string): PostgresPool => {
    const pool = new Pool({ connectionString, max: 4, connectionTimeoutMillis: 2_000 });
    // Without an error listener, the end of an idle connection ends the process.
    pool.on("error", () => undefined);
    pools.push(pool);
    return mutatedPool(pool, mutate);
  };
  const [first = ""] = Object.values(urls);
  const shards = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, open(url)]));
  const stores = await shardedStores({ directory: open(first), shards, migrate: false, checkKeys: false });
  return {
    stores,
    close: async () => {
      await stores.close();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

function mutatedPool(pool: PostgresPool, mutate: Mutate): PostgresPool {
  const within = (connection: PostgresConnection): PostgresConnection => ({
    query: (statement) => connection.query(mutate(statement)),
    on: (event, listener) => connection.on(event, listener),
    off: (event, listener) => connection.off(event, listener),
    release: (destroy) => connection.release(destroy),
  });
  return {
    query: (statement) => pool.query(mutate(statement)),
    connect: () => pool.connect().then(within),
  };
}
