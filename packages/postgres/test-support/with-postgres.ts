import { Pool, type PoolConfig } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { migratePostgres } from "../src/index.ts";

/** A schema for one group of tests on the real server, created before the first test and dropped after the last. */
export interface TestDatabase {
  readonly url: string;
  readonly schema: string;
  /** Creates a pool that is ended after the last test. */
  pool(config?: PoolConfig): Pool;
}

/** Registers tests that need PostgreSQL. Without it they are skipped, and in CI they fail. */
export function describeWithPostgres(title: string, body: (database: TestDatabase) => void): void {
  const url = inject("postgres");
  if (url !== undefined) return void describe(title, () => body(openDatabase(url)));
  const skippedTitle = `${title} (skipped: PostgreSQL is not available)`;
  it.skipIf(process.env["CI"] === undefined)(skippedTitle, () => expect.fail("CI must have PostgreSQL."));
}

function openDatabase(url: string): TestDatabase {
  const schema = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const pools: Pool[] = [];
  const pool = (config: PoolConfig = {}) => {
    // No test that uses these pools stops the server, so that a commit need not wait for the disk.
    const created = new Pool({ connectionString: url, options: "-c synchronous_commit=off", ...config });
    // Without an error listener, the end of an idle connection ends the process.
    created.on("error", () => undefined);
    pools.push(created);
    return created;
  };
  const own = pool({ max: 1 });
  beforeAll(() => migratePostgres(own, { schema }));
  afterAll(async () => {
    await own.query(`DROP SCHEMA "${schema}" CASCADE`);
    await Promise.all(pools.map((each) => each.end()));
  });
  return { url, schema, pool };
}
