import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { expect, inject, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { killAnswers } from "./kill-answers.ts";
import { spokenDialects } from "./small-request.ts";

const kills = { long: 75, short: 10 }[form];

function expectExact(title: string, { figures, violations, deaths }: Awaited<ReturnType<typeof killAnswers>>): void {
  printFigures(title, figures);
  expect(violations).toEqual([]);
  expect(deaths).toEqual([]);
  for (const dialect of spokenDialects) expect(figures[dialect], dialect).toBeGreaterThan(10);
  expect(figures["responses stored"]).toBe(figures["responses"]);
  expect(figures["of which continue another"]).toBeGreaterThan(10);
  expect(figures["of another process"]).toBeGreaterThan(0);
  expect(figures["longest conversation"]).toBeGreaterThan(3);
}

it("charges whole answers of every dialect exactly, and loses no stored response, on SQLite while processes are killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-answers-"));
  const killed = await killAnswers({ kind: "sqlite", file: join(folder, "stores.db") }, kills);
  rmSync(folder, { recursive: true });
  expectExact("Kills of answers on SQLite", killed);
}, 300_000);

it("finds the last responses before a kill if they are acknowledged before they are written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-answers-"));
  const address = { kind: "sqlite", file: join(folder, "stores.db") } as const;
  const { violations, figures } = await killAnswers(address, 8, { writesBehind: true });
  rmSync(folder, { recursive: true });
  const lost = violations.filter((violation) => violation.includes("was answered as stored, and is lost"));
  printFigures("Kills of a store that writes behind", { ...figures, lost: lost.length });
  expect(lost).not.toEqual([]);
  // Almost every response is written.
  expect(lost.length).toBeLessThan(Number(figures["responses stored"]) / 2);
}, 60_000);

const url = inject("postgres");

it.skipIf(url === undefined)(
  "charges whole answers of every dialect exactly, and loses no stored response, on PostgreSQL while processes are killed",
  async () => {
    const schema = `answers_${crypto.randomUUID().slice(0, 8)}`;
    const pool = new Pool({ connectionString: url });
    await migratePostgres(pool, { schema });
    const killed = await killAnswers({ kind: "postgres", url: url ?? "", schema }, kills);
    await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
    await pool.end();
    expectExact("Kills of answers on PostgreSQL", killed);
  },
  300_000,
);
