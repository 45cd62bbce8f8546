import { DatabaseSync } from "@photostructure/sqlite"; // from Node 22 on, "node:sqlite" has the same class
import { privateFile, sqliteStores } from "@tollgate/sqlite";

const database = new DatabaseSync(privateFile(process.env["DATABASE_FILE"] ?? ".tollgate/acme.db"));

export const { keys, balances, terms, sessions, usage, audit } = sqliteStores(database, { prefix: "acme" });
