import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** The PostgreSQL server of the bench. */
export const databaseUrl = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** The routers whose balances are in a database. */
export const durableRouters = ["router on sqlite", "router on postgres", "router in slices"] as const;

/** The name of one of them. */
export type DurableRouter = (typeof durableRouters)[number];

/** Where the router of one process keeps its balances: a file of SQLite, or a schema of PostgreSQL. */
export interface Place {
  readonly address: string;
  remove(): Promise<void>;
}

/** Whether a contender keeps balances in a database. */
export const isDurable = (name: string): name is DurableRouter => durableRouters.some((each) => each === name);

/** Opens an empty place, which the process of the router fills and its parent removes once that was killed. */
export async function openPlace(name: DurableRouter): Promise<Place> {
  if (name === "router on sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
    return { address: join(folder, "bench.db"), remove: async () => rmSync(folder, { recursive: true }) };
  }
  const schema = `bench_${crypto.randomUUID().slice(0, 8)}`;
  await requireDurable();
  return { address: schema, remove: () => queryOnce(`DROP SCHEMA IF EXISTS ${schema} CASCADE`).then(() => undefined) };
}

/** Throws if the server acknowledges commits before they are on its disk. */
async function requireDurable(): Promise<void> {
  const settings = ["fsync", "synchronous_commit", "full_page_writes"];
  const shown = settings.map((name) => `current_setting('${name}') AS ${name}`).join(", ");
  const { rows } = await queryOnce(`SELECT ${shown}`);
  const off = settings.filter((name) => rows.some((row) => row[name] === "off"));
  if (off.length === 0) return;
  throw new Error(
    `The PostgreSQL server of the bench has ${off.join(", ")} off. Turn it on, or set TEST_POSTGRES_URL.`,
  );
}

async function queryOnce(text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
