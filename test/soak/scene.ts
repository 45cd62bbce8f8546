import { migratePostgres, type PostgresStores, postgresStores } from "@tollgate/postgres";
import { Pool } from "pg";
import { OwnRedisServer } from "../redis/own-redis-server.ts";
import { OwnPostgres } from "../support/own-postgres.ts";
import { type CountingUpstream, startCountingUpstream } from "./upstream/counting-upstream.ts";

/** An account with a balance, and a key of it. */
export interface Customer {
  readonly account: string;
  readonly secret: string;
}

/** The servers around the gateways. */
export interface Scene {
  readonly postgres: OwnPostgres;
  readonly redis: OwnRedisServer;
  readonly upstream: CountingUpstream;
  readonly stores: PostgresStores;
  readonly customers: readonly Customer[];
  close(): Promise<void>;
}

/** The initial balance of each customer. */
export const opening = 1_000_000_000_000_000n;

/** Starts the servers, migrates the database, and creates the customers. Their limits are counted, and never reached. */
export async function startScene(customers: number): Promise<Scene> {
  const [postgres, redis, upstream] = await Promise.all([
    OwnPostgres.start(),
    OwnRedisServer.start(),
    startCountingUpstream(),
  ]);
  const pool = new Pool({ connectionString: postgres.url, max: 4 });
  // Without an error listener, the end of an idle connection ends the process.
  pool.on("error", () => undefined);
  await migratePostgres(pool);
  const stores = await postgresStores(pool, { migrate: false });
  const create = (_: unknown, index: number) => createCustomer(stores, `account-${index}`);
  return {
    postgres,
    redis,
    upstream,
    stores,
    customers: await Promise.all(Array.from({ length: customers }, create)),
    close: async () => {
      await pool.end();
      await Promise.all([postgres.stop(), redis.stop(), upstream.close()]);
    },
  };
}

async function createCustomer({ keys, balances }: PostgresStores, account: string): Promise<Customer> {
  await balances.credit({ id: `opening-${account}`, account, amount: opening, reason: "opening" });
  const limits = { requests: { limit: 10_000_000 }, tokens: { limit: 1_000_000_000 }, concurrency: 10_000 };
  const { secret } = await keys.create({ account, plan: "prepaid", limits });
  return { account, secret };
}
