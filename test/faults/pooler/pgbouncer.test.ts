import { migratePostgres, postgresBalanceStore } from "@tollgate/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Database } from "../../../packages/postgres/src/database.ts";
import { chargeDuringMigration } from "../../../packages/postgres/test-support/migrating.ts";
import { storeContracts } from "../../../packages/postgres/test-support/store-contracts.ts";
import { type WatchedPool, watchedPool } from "../../../packages/postgres/test-support/watched-pool.ts";
import { form } from "../form.ts";
import { hasPgbouncer, startPgbouncer } from "./own-pgbouncer.ts";

const serverUrl = inject("postgres");
const schema = `pooled_${crypto.randomUUID().slice(0, 8)}`;
const ends: (() => Promise<unknown>)[] = [];

describe.skipIf(serverUrl === undefined || !hasPgbouncer)(
  "two processes behind PgBouncer in transaction mode (needs PostgreSQL and pgbouncer)",
  () => {
    let server: Pool;
    let url: string;
    let pools: readonly [Pool, Pool];

    beforeAll(async () => {
      const pgbouncer = await startPgbouncer(serverUrl ?? "", 4);
      url = pgbouncer.url;
      server = new Pool({ connectionString: serverUrl });
      ends.push(
        () => server.query(`DROP SCHEMA "${schema}" CASCADE`),
        () => server.end(),
        () => pgbouncer.stop(),
      );
      await migratePostgres(server, { schema });
      pools = [openPool(), openPool()];
    });
    afterAll(async () => {
      for (const end of ends) await end();
    });

    it("each run the version of a statement that they have", async () => {
      const versions = ["old", "new"].map((version) => {
        const pool = watchedPool(openPool());
        const database = new Database(pool, schema);
        const statement = () => `SELECT '${version}' AS version`;
        return { version, pool, run: () => database.runForOne(statement, []) };
      });
      const calls = Array.from({ length: 40 }, () => versions).flat();
      const rows = await Promise.all(calls.map(({ run }) => run()));
      expect(rows.map((row) => row.text("version"))).toEqual(calls.map(({ version }) => version));
      for (const { pool } of versions) expectRefusedNames(pool);
    });

    it("hold and settle while a third one migrates the tables", async () => {
      const watched = [watchedPool(openPool()), watchedPool(openPool())];
      const stores = watched.map((pool) => postgresBalanceStore(pool, { schema }));
      await chargeDuringMigration(stores, server, schema);
      for (const pool of watched) expectRefusedNames(pool);
    });

    if (form === "long") storeContracts(schema, () => pools);

    function openPool(): Pool {
      const pool = new Pool({ connectionString: url }).on("error", () => undefined);
      ends.unshift(() => pool.end());
      return pool;
    }
  },
);

/** A connection has no statement of the name (26000), or has it from another connection to the pooler (42P05). */
function expectRefusedNames({ errors, statements }: WatchedPool): void {
  expect(errors).not.toEqual([]);
  for (const error of errors) expect(error).toMatchObject({ code: expect.stringMatching(/^(26000|42P05)$/) });
  expect(statements.at(-1)?.name).toBeUndefined();
}
