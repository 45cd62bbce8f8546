import { Pool, type PoolConfig } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { migratePostgres } from "../src/index.ts";

/** A schema of one group of tests on the real server; it is made before the first of them and dropped after the last. */
export interface TestDatabase {
  readonly url: string;
  readonly schema: string;
  /** A pool that is ended after the last test. */
  pool(config?: PoolConfig): Pool;
}

/** Registers tests that need PostgreSQL: left out by name where there is none, which in CI is a failure. */
export function describeWithPostgres(title: string, body: (database: TestDatabase) => void): void {
  const url = inject("postgres");
  if (url !== undefined) return void describe(title, () => body(openDatabase(url)));
  const named = `${title} (left out: there is no PostgreSQL here)`;
  it.skipIf(process.env["CI"] === undefined)(named, () => expect.fail("CI must have PostgreSQL."));
}

function openDatabase(url: string): TestDatabase {
  const schema = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const pools: Pool[] = [];
  const pool = (config: PoolConfig = {}) => {
    const made = new Pool({ connectionString: url, ...config });
    // Without a listener the end of an idle connection ends the process.
    made.on("error", () => undefined);
    pools.push(made);
    return made;
  };
  const own = pool({ max: 1 });
  beforeAll(() => migratePostgres(own, { schema }));
  afterAll(async () => {
    await own.query(`DROP SCHEMA "${schema}" CASCADE`);
    await Promise.all(pools.map((each) => each.end()));
  });
  return { url, schema, pool };
}
