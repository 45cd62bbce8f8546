import { type PostgresListener, postgresStores } from "@tollgate/postgres";
import { Client } from "pg";
import { pool } from "./stores-in-postgres.ts";

/** A connection of its own for notifications, which cannot pass through a transaction pooler. */
async function listen(): Promise<PostgresListener> {
  const client = new Client({ connectionString: process.env["DATABASE_URL"], keepAlive: true });
  await client.connect();
  return client;
}

export const { keys, balances, terms, sessions, close } = await postgresStores(pool, { prefix: "acme", listen });
