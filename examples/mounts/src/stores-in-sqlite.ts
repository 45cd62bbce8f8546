import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite"; // from Node 22 on, "node:sqlite" has the same class
import { sqliteStores } from "@tollgate/sqlite";

const file = process.env["DATABASE_FILE"] ?? ".tollgate/acme.db";
mkdirSync(dirname(file), { recursive: true });

export const { keys, balances, terms, sessions } = sqliteStores(new DatabaseSync(file), { prefix: "acme" });
