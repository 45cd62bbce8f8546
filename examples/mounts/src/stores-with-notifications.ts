import { type PostgresListener, postgresStores } from "@tollgate/postgres";
import { Client } from "pg";
import { pool } from "./stores-in-postgres.ts";

/** A connection of its own for notifications, which cannot pass through a transaction pooler. */
async function listen(): Promise<PostgresListener> {
  const client = new Client({ connectionString: process.env["DATABASE_URL"], keepAlive: true });
  await client.connect();
  return client;
}

const stores = await postgresStores(pool, { prefix: "acme", listen });
export const { keys, balances, terms, sessions, limiter, close } = stores;
