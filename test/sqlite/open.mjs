// Opens the database at the given instant, together with other processes, and credits one unit to an account.
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteStores } from "@tollgate/sqlite";

const [file, instant] = process.argv.slice(2);
while (Date.now() < Number(instant));
const { balances } = sqliteStores(new DatabaseSync(file));
const { outcome } = await balances.credit({ id: crypto.randomUUID(), account: "a", amount: 1n, reason: "top-up" });
console.log(outcome);
