import { DatabaseSync } from "@photostructure/sqlite"; // from Node 22 on, "node:sqlite" has the same class
import { privateFile, sqliteStores } from "@tollgate/sqlite";

const database = new DatabaseSync(privateFile(process.env["DATABASE_FILE"] ?? ".tollgate/acme.db"));
const stores = sqliteStores(database, { prefix: "acme" });

/** @type {import("@tollgate/cli").Records} */
export default { ...stores, plans: ["prepaid", "subscription"], close: () => database.close() };
