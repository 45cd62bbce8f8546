import { migratePostgres } from "@tollgate/postgres";
import { Client, Pool } from "pg";

/** A database of its own on the PostgreSQL server of the tests, with the tables of the stores. */
export interface OwnDatabase {
  readonly url: string;
  readonly pool: Pool;
  drop(): Promise<void>;
}

/** Creates a database on the server at the URL, for hosts whose stores use the default schema. */
export async function createDatabase(serverURL: string | undefined): Promise<OwnDatabase> {
  if (serverURL === undefined) throw new Error("This suite needs PostgreSQL. Start it, or set TEST_POSTGRES_URL.");
  const name = `hosts_${crypto.randomUUID().replaceAll("-", "")}`;
  const server = new Client({ connectionString: serverURL });
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(serverURL);
  url.pathname = `/${name}`;
  const pool = new Pool({ connectionString: url.href });
  // The end of the database ends connections that are still closing.
  pool.on("error", () => undefined);
  await migratePostgres(pool);
  return {
    url: url.href,
    pool,
    async drop() {
      await pool.end();
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.end();
    },
  };
}
