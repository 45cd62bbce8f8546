import { existsSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { OwnPostgres } from "./own-postgres.ts";

let server: OwnPostgres;
beforeAll(async () => {
  server = await OwnPostgres.start();
});
afterAll(() => server.stop());

it("keeps committed data and its URL after a crash", async () => {
  await query("CREATE TABLE kept AS SELECT 17 AS number");
  await server.crash();
  await expect(query("SELECT number FROM kept")).rejects.toThrow();
  await server.start();
  expect(await query("SELECT number FROM kept")).toEqual([{ number: 17 }]);
});

it("leaves no server and no data behind", async () => {
  const other = await OwnPostgres.start();
  const [row] = await query("SHOW data_directory", other.url);
  const data = String(row?.["data_directory"]);
  expect(existsSync(data)).toBe(true);
  await other.stop();
  expect(existsSync(data)).toBe(false);
  await expect(query("SELECT 1", other.url)).rejects.toThrow(/ECONNREFUSED/);
});

async function query(text: string, url = server.url): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
