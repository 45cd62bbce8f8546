import { DatabaseSync } from "@photostructure/sqlite"; // from Node 22 on, "node:sqlite" has the same class
import { privateFile, sqliteStores } from "@tollgate/sqlite";
import { readVariable } from "./environment.ts";

const database = new DatabaseSync(privateFile(readVariable("DATABASE_FILE")));

export const { keys, balances, usage, audit } = sqliteStores(database);
