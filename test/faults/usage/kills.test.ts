import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { expect, inject, it, vi } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { killUsage } from "./kill-usage.ts";

const seconds = { long: 30, short: 5 }[form];

/** Checks what is left: all that was confirmed, nothing else, and totals that equal the rows. */
function expectComplete(title: string, killed: Awaited<ReturnType<typeof killUsage>>): void {
  const { kills, confirmed, stored, deaths, lost, unknown, fromTotals, fromRows } = killed;
  printFigures(title, { kills, "confirmed rows": confirmed, "stored rows": stored });
  expect(deaths).toEqual([]);
  expect(lost).toEqual([]);
  expect(unknown).toEqual([]);
  expect(fromTotals).toEqual(fromRows);
  expect(fromTotals.reduce((sum, { requests }) => sum + requests, 0)).toBe(3 * stored);
  expect(kills).toBeGreaterThan(3);
  expect(confirmed).toBeGreaterThan(1_000);
}

it("usage in SQLite survives kills: no confirmed row is lost, and totals equal rows", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-usage-"));
  const killed = await killUsage({ kind: "sqlite", file: join(folder, "usage.db") }, seconds);
  rmSync(folder, { recursive: true });
  expectComplete("Kills of recorders on SQLite", killed);
}, 120_000);

const url = inject("postgres");

it.skipIf(url === undefined)(
  "usage in PostgreSQL survives kills: no confirmed row is lost, and totals equal rows",
  async () => {
    const schema = `usage_${crypto.randomUUID().slice(0, 8)}`;
    const pool = new Pool({ connectionString: url });
    await migratePostgres(pool, { schema });
    const isIdle = async () => {
      const { rows } = await pool.query(
        "SELECT FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE $1",
        [`%${schema}%`],
      );
      return rows.length === 0;
    };
    const settled = () => vi.waitUntil(isIdle, { timeout: 20_000 }).then(() => undefined);
    const killed = await killUsage({ kind: "postgres", url: url ?? "", schema }, seconds, settled);
    await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
    await pool.end();
    expectComplete("Kills of recorders on PostgreSQL", killed);
  },
  120_000,
);
