import { DatabaseSync } from "@photostructure/sqlite";
import { formatAmount } from "@tollgate/core";
import { privateFile, sqliteStores } from "@tollgate/sqlite";

const database = new DatabaseSync(privateFile(process.env["DATABASE_FILE"] ?? ".tollgate/acme.db"));
const { balances } = sqliteStores(database);
database.exec("CREATE TABLE IF NOT EXISTS shop_order (id TEXT PRIMARY KEY, account TEXT NOT NULL) STRICT");
const insertOrder = database.prepare("INSERT INTO shop_order (id, account) VALUES (?, ?)");

/** Adds a paid order and its credit in one commit. Nothing is awaited before it. */
function addOrder(id: string, account: string, amount: string): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    insertOrder.run(id, account);
    balances.inTransaction.credit({ id, account, amount, reason: `order ${id}` });
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

addOrder(crypto.randomUUID(), "customer-17", "5.00");
const { posted } = await balances.balance("customer-17");
console.log(`Balance: ${formatAmount(posted)}`);
