import { DatabaseSync } from "@photostructure/sqlite"; // from Node 22 on, "node:sqlite" has the same class
import { privateFile, sqliteStores } from "@tollgate/sqlite";

const database = new DatabaseSync(privateFile(process.env["DATABASE_FILE"] ?? ".tollgate/acme.db"));
const stores = sqliteStores(database, { prefix: "acme" });

/** @type {import("@tollgate/cli").Records} */
export default { ...stores, plans: ["prepaid", "subscription"], close: () => database.close() };

/**
 * The same stores in a new file, for `tollgate prove`.
 *
 * @type {import("@tollgate/cli").OpenProof}
 */
export const prove = ({ folder }) => {
  const database = new DatabaseSync(`${folder}/proof.db`);
  return { ...sqliteStores(database, { prefix: "acme" }), close: () => database.close() };
};
