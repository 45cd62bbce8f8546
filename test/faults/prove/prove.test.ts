import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { postgresStores } from "@tollgate/postgres";
import { sqliteStores } from "@tollgate/sqlite";
import type { Pool } from "pg";
import { afterAll, describe, expect, inject, it } from "vitest";
import { describeWithPostgres } from "../../../packages/postgres/test-support/with-postgres.ts";
import { type Folder, makeFolder, startShell } from "../../cli/child.ts";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";

const kills = { long: 50, short: 3 }[form];
const testMs = { long: 240_000, short: 60_000 }[form];

const folders: Folder[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

/** Runs `tollgate prove` in a folder of its own, whose subfolder `temporary` is that of temporary files. */
async function prove(config: string, { count = kills, variables = "" } = {}) {
  const folder = makeFolder(config);
  folders.push(folder);
  const place = `mkdir -p temporary; export TMPDIR="$PWD/temporary" ${variables};`;
  const { code, out, err } = await startShell(folder, `${place} tollgate prove --kills ${count} --json`).ended;
  const left = readdirSync(join(folder.path, "temporary"));
  return { code, err, left, folder: folder.path, found: out === "" ? undefined : JSON.parse(out) };
}

const sqlite = (wrap = "stores") => `
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteStores } from "@tollgate/sqlite";
const open = (file) => {
  const database = new DatabaseSync(file);
  const stores = sqliteStores(database);
  return { ...${wrap}, close: () => database.close() };
};
const forgetful = (stores) => {
  let settled = 0;
  const settle = (...all) => (++settled % 10 === 0 ? { outcome: "ended" } : stores.balances.settle(...all));
  const get = (store, name) => {
    if (name === "settle") return settle;
    return typeof store[name] === "function" ? store[name].bind(store) : store[name];
  };
  return { ...stores, balances: new Proxy(stores.balances, { get }) };
};
export default () => open("customers.db");
`;

const nothingFound = { lost: 0, twice: 0, overspent: 0, differences: [] };

// Each test waits for processes most of its time.
describe.concurrent("tollgate prove", () => {
  it(
    "finds nothing in SQLite, and leaves nothing in the folder of temporary files",
    async () => {
      const { code, found, left } = await prove(
        `${sqlite()} export const prove = ({ folder }) => open(folder + "/a.db");`,
      );
      expect({ code, found, left }).toMatchObject({ code: 0, found: { kills, ...nothingFound }, left: [] });
      const { differences: _none, ...figures } = found;
      printFigures("Proof on SQLite", figures);
      for (const name of ["answers", "holds", "settlements", "credits", "refusals"])
        expect(found[name], name).toBeGreaterThan(0);
    },
    testMs,
  );

  it(
    "finds the first settlement that the stores acknowledge and forget, with its receipt",
    async () => {
      const config = `${sqlite("forgetful(stores)")} export const prove = ({ folder }) => open(folder + "/a.db");`;
      const { code, found, err, left } = await prove(config, { count: 1 });
      expect({ code, left }).toEqual({ code: 1, left: [] });
      expect(found.lost).toBeGreaterThan(0);
      const [first] = found.differences;
      expect(first).toMatchObject({
        kind: "lost",
        problem: expect.stringMatching(/^Hold .* was charged .*, and its settlement at .* was acknowledged\.$/),
        receipt: { requestId: expect.any(String), model: "proof", dialect: "chat" },
      });
      expect(JSON.parse(err).error).toMatchObject({
        code: "violations_found",
        message: expect.stringContaining(first.problem),
      });
    },
    testMs,
  );

  it(
    "writes nothing to stores that have customers",
    async () => {
      const config = `${sqlite()} export const prove = () => open("customers.db");`;
      const folder = makeFolder(config);
      folders.push(folder);
      const database = new DatabaseSync(join(folder.path, "customers.db"));
      await sqliteStores(database).balances.credit({ id: "1", account: "acme", amount: 5n, reason: "top-up" });
      const before = rowsOf(database);
      const { code, err } = await startShell(folder, "tollgate prove").ended;
      expect([code, err]).toEqual([2, expect.stringContaining("have keys or accounts, so the proof wrote nothing.")]);
      expect(rowsOf(database)).toEqual(before);
      database.close();
    },
    testMs,
  );

  it(
    "says what to do with stores in memory",
    async () => {
      const memory = 'import { memoryBalanceStore, memoryKeyStore } from "@tollgate/core";';
      const open = "() => ({ keys: memoryKeyStore(), balances: memoryBalanceStore() })";
      const { code, err, left } = await prove(`${memory} export default ${open}; export const prove = ${open};`);
      expect({ code, left }).toEqual({ code: 2, left: [] });
      expect(JSON.parse(err).error.message).toContain("Use @tollgate/sqlite or @tollgate/postgres");
    },
    testMs,
  );

  it(
    "says how to export `prove`",
    async () => {
      const { code, err } = await prove(sqlite());
      expect([code, JSON.parse(err).error.message]).toEqual([
        2,
        expect.stringContaining("export const prove = ({ schema, folder })"),
      ]);
    },
    testMs,
  );
});

describeWithPostgres("tollgate prove on PostgreSQL", ({ schema, pool }) => {
  it(
    "finds nothing, drops its schema, and touches no row of the customers",
    async () => {
      const own = pool();
      const { keys, balances } = await postgresStores(own, { schema, migrate: false });
      await keys.create({ account: "acme", plan: "prepaid" });
      await balances.credit({ id: "1", account: "acme", amount: 5n, reason: "top-up" });
      const before = await everyRow(own, schema);
      const schemas = await schemasIn(own);
      const config = fileURLToPath(new URL("../../../examples/cluster/tollgate.config.mjs", import.meta.url));
      const variables = `DATABASE_URL='${inject("postgres")}' SCHEMA='${schema}'`;
      const { code, found } = await prove(`export * from "${config}"; export { default } from "${config}";`, {
        variables,
      });
      expect({ code, found }).toMatchObject({ code: 0, found: { kills, ...nothingFound } });
      printFigures("Proof on PostgreSQL", { answers: found.answers, holds: found.holds, seconds: found.seconds });
      expect(await everyRow(own, schema)).toEqual(before);
      expect(await schemasIn(own)).toEqual(schemas);
    },
    testMs,
  );
});

function rowsOf(database: InstanceType<typeof DatabaseSync>) {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  return tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]);
}

async function everyRow(pool: Pool, schema: string) {
  const { rows } = await pool.query("SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY 1", [schema]);
  return Promise.all(
    rows.map(async ({ tablename }) => [tablename, (await pool.query(`SELECT * FROM "${schema}"."${tablename}"`)).rows]),
  );
}

/** The schemas of proofs. */
const schemasIn = async (pool: Pool) =>
  (await pool.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'tollgate\\_prove\\_%' ORDER BY 1")).rows;
