import { Client, Pool } from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import type { PostgresPool } from "../src/index.ts";

/** Databases of their own on the server of the tests, by name. */
export interface ShardDatabases {
  /** Returns the pool of the test itself. */
  pool(name: string): Pool;
  /** Opens pools of all for another process, each changed by `wrap`, which are ended after the last test. */
  pools(wrap?: (pool: PostgresPool) => PostgresPool): Readonly<Record<string, PostgresPool>>;
  url(name: string): string;
}

/** Creates databases before the first test, and drops them after the last. */
export function shardDatabases(...names: readonly string[]): ShardDatabases {
  const prefix = `shards_${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`;
  const opened: Pool[] = [];
  const own = new Map<string, Pool>();
  const onServer = async (statement: (database: string) => string) => {
    const server = new Client({ connectionString: inject("postgres") });
    await server.connect();
    for (const name of names) await server.query(statement(`${prefix}_${name}`));
    await server.end();
  };
  beforeAll(() => onServer((database) => `CREATE DATABASE ${database}`));
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.end()));
    await onServer((database) => `DROP DATABASE ${database} WITH (FORCE)`);
  });
  const open = (name: string) => {
    // No test that uses these pools stops the server, so that a commit need not wait for the disk.
    const connectionString = databases.url(name);
    const created = new Pool({ connectionString, max: 4, options: "-c synchronous_commit=off" });
    created.on("error", () => undefined);
    opened.push(created);
    return created;
  };
  const databases: ShardDatabases = {
    url(name) {
      const url = new URL(inject("postgres") ?? "");
      url.pathname = `/${prefix}_${name}`;
      return url.href;
    },
    pool(name) {
      const pool = own.get(name) ?? open(name);
      own.set(name, pool);
      return pool;
    },
    pools: (wrap = (pool) => pool) => Object.fromEntries(names.map((name) => [name, wrap(open(name))])),
  };
  return databases;
}
