import type { BalanceStore, KeyAdmin } from "@tollgate/core/store";
import { type PostgresPool, postgresStores, shardedStores } from "@tollgate/postgres";
import pg from "pg";
import type { OwnPostgres } from "../../support/own-postgres.ts";

/** An arrangement that is measured. */
export type ScalingName = "one database" | "two databases" | "four databases" | "slices on one database";

/** Stores that a load uses, the statements that they have sent, and what removes them. */
export interface Arrangement {
  readonly balances: BalanceStore;
  readonly keys: Pick<KeyAdmin, "create">;
  statements(): number;
  close(): Promise<void>;
}

/** A database that exists for one arrangement, and the statements that were sent to it. */
interface BenchDatabase {
  readonly pool: PostgresPool;
  statements(): number;
  drop(): Promise<void>;
}

const connections = 16;

/** Opens an arrangement on as many of the servers, in databases that are empty, with 16 connections to each. */
export const openArrangement: Readonly<Record<ScalingName, (servers: readonly OwnPostgres[]) => Promise<Arrangement>>> =
  {
    "one database": (servers) => openOne(servers),
    "two databases": (servers) => openShards(servers.slice(0, 2)),
    "four databases": (servers) => openShards(servers.slice(0, 4)),
    // A slice pays for 10,000 holds of the load.
    "slices on one database": (servers) => openOne(servers, { slices: { amount: 1_000_000n, above: 0n } }),
  };

async function openOne(
  servers: readonly OwnPostgres[],
  options?: Parameters<typeof postgresStores>[1],
): Promise<Arrangement> {
  const [database, ...others] = await createDatabases(servers.slice(0, 1));
  if (database === undefined || others.length > 0) throw new Error("This arrangement has one database.");
  return arrange([database], await postgresStores(database.pool, options));
}

async function openShards(servers: readonly OwnPostgres[]): Promise<Arrangement> {
  const databases = await createDatabases(servers);
  const [first] = databases;
  if (first === undefined) throw new Error("This arrangement has a database at least.");
  const shards = Object.fromEntries(databases.map(({ pool }, place) => [`shard-${place}`, pool]));
  return arrange(databases, await shardedStores({ directory: first.pool, shards }));
}

interface Stores extends Pick<Arrangement, "balances" | "keys"> {
  close(): Promise<void>;
}

const arrange = (databases: readonly BenchDatabase[], { balances, keys, close }: Stores): Arrangement => ({
  balances,
  keys,
  statements: () => databases.reduce((sum, database) => sum + database.statements(), 0),
  async close() {
    await close();
    await Promise.all(databases.map((database) => database.drop()));
  },
});

const createDatabases = (servers: readonly OwnPostgres[]): Promise<BenchDatabase[]> =>
  Promise.all(servers.map(createDatabase));

async function createDatabase({ url }: OwnPostgres): Promise<BenchDatabase> {
  const name = `bench_${crypto.randomUUID().slice(0, 8)}`;
  const server = new pg.Pool({ connectionString: url, max: 1 });
  await server.query(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: own.href, max: connections }).on("error", () => undefined);
  let statements = 0;
  const counted: PostgresPool = {
    query(statement) {
      statements += 1;
      return pool.query(statement);
    },
    connect: () => pool.connect(),
  };
  return {
    pool: counted,
    statements: () => statements,
    async drop() {
      await pool.end();
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.end();
    },
  };
}
