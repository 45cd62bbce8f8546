// Opens the database, as one of several processes that do it at the same instant, and puts a unit on an account.
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteStores } from "@tollgate/sqlite";

const [file, instant] = process.argv.slice(2);
while (Date.now() < Number(instant));
const { balances } = sqliteStores(new DatabaseSync(file));
const { outcome } = await balances.credit({ id: crypto.randomUUID(), account: "a", amount: 1n, reason: "top-up" });
console.log(outcome);
