import { formatAmount } from "@tollgate/core";
import { postgresStores } from "@tollgate/postgres";
import { Pool } from "pg";

const pool = new Pool({ connectionString: process.env["DATABASE_URL"] });
pool.on("error", (error) => console.error(`PostgreSQL: ${error.message}`));
const { balances } = await postgresStores(pool);
await pool.query("CREATE TABLE IF NOT EXISTS shop_order (id text PRIMARY KEY, account text NOT NULL)");

/** Adds a paid order and its credit in one commit. The credit comes last, since it locks the account until then. */
async function addOrder(id: string, account: string, amount: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("INSERT INTO shop_order (id, account) VALUES ($1, $2)", [id, account]);
    await balances.inTransaction(client).credit({ id, account, amount, reason: `order ${id}` });
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

await addOrder(crypto.randomUUID(), "customer-17", "5.00");
const { posted } = await balances.balance("customer-17");
console.log(`Balance: ${formatAmount(posted)}`);
await pool.end();
