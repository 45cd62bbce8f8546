import { postgresStores } from "@tollgate/postgres";
import pg from "pg";

const connect = () =>
  new pg.Pool({ connectionString: process.env["DATABASE_URL"] }).on("error", (error) =>
    console.error(`PostgreSQL: ${error.message}`),
  );

/** @type {import("@tollgate/cli").RecordsSource} */
export default async () => {
  const pool = connect();
  const stores = await postgresStores(pool, { schema: process.env["SCHEMA"] ?? "tollgate" });
  return { ...stores, plans: ["prepaid"], close: () => pool.end() };
};

/**
 * The same stores in a new schema, which is dropped at the end.
 *
 * @type {import("@tollgate/cli").OpenProof}
 */
export const prove = async ({ schema }) => {
  const pool = connect();
  const close = async () => {
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await pool.end();
  };
  return { ...(await postgresStores(pool, { schema })), close };
};
