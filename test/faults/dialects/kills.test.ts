import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { expect, inject, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { killAnswers } from "./kill-answers.ts";

const seconds = { long: 30, short: 6 }[form];

function expectExact(title: string, { figures, violations, deaths }: Awaited<ReturnType<typeof killAnswers>>): void {
  printFigures(title, figures);
  expect(violations).toEqual([]);
  expect(deaths).toEqual([]);
  expect(figures["kills"]).toBeGreaterThan(5);
  for (const dialect of ["chat", "messages", "responses"]) expect(figures[dialect], dialect).toBeGreaterThan(10);
  expect(figures["of which stored"]).toBe(figures["responses"]);
}

it("charges whole answers of every dialect exactly, and loses no stored response, on SQLite while processes are killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-answers-"));
  const killed = await killAnswers({ kind: "sqlite", file: join(folder, "stores.db") }, seconds);
  rmSync(folder, { recursive: true });
  expectExact("Kills of answers on SQLite", killed);
}, 120_000);

it("finds responses that were acknowledged without being stored", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-answers-"));
  const address = { kind: "sqlite", file: join(folder, "stores.db") } as const;
  const { violations } = await killAnswers(address, 3, { forgetsResponses: true });
  rmSync(folder, { recursive: true });
  expect(violations.join()).toContain("was answered as stored, and is lost");
}, 60_000);

const url = inject("postgres");

it.skipIf(url === undefined)(
  "charges whole answers of every dialect exactly, and loses no stored response, on PostgreSQL while processes are killed",
  async () => {
    const schema = `answers_${crypto.randomUUID().slice(0, 8)}`;
    const pool = new Pool({ connectionString: url });
    await migratePostgres(pool, { schema });
    const killed = await killAnswers({ kind: "postgres", url: url ?? "", schema }, seconds);
    await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
    await pool.end();
    expectExact("Kills of answers on PostgreSQL", killed);
  },
  120_000,
);
