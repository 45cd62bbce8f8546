import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { afterAll, beforeAll, it, vi } from "vitest";
import { describeWithPostgres } from "../../../../packages/postgres/test-support/with-postgres.ts";
import { printFigures } from "../../figures.ts";
import { form } from "../../form.ts";
import { memoryLedgers } from "./memory-ledgers.ts";
import { postgresLedgers } from "./postgres-ledgers.ts";
import { sqliteLedgers } from "./sqlite-ledgers.ts";
import { singleStep } from "./step.ts";
import { transcriptOf } from "./transcript.ts";

/** A fixed seed, so that every run has the same scripts. The short form runs the first ones of the long form. */
const seed = 20_250_117;
const numRuns = form === "long" ? 5_000 : 120;

describeWithPostgres("ledgers in memory, SQLite and PostgreSQL", (database) => {
  const memory = memoryLedgers();
  const sqlite = sqliteLedgers();
  const postgres = postgresLedgers(database);

  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterAll(() => {
    vi.useRealTimers();
    sqlite.close();
  });

  it("have the same results after every step", async () => {
    const start = performance.now();
    let run = 0;
    let steps = 0;
    const script = fc.array(singleStep, { maxLength: 40, size: "max" });
    const property = fc.asyncProperty(script, async (given) => {
      run += 1;
      steps += given.length;
      const inMemory = await transcriptOf(given, run, await memory.next());
      const others = { SQLite: await sqlite.next(), PostgreSQL: await postgres.next() };
      const transcripts = Object.entries(others).map(async ([store, ledger]) => {
        return { store, transcript: await transcriptOf(given, run, ledger) };
      });
      for (const { store, transcript } of await Promise.all(transcripts))
        deepStrictEqual({ store, transcript }, { store, transcript: inMemory });
    });
    await fc.assert(property, { seed, numRuns });
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    printFigures("Scripts with the same results in memory, SQLite and PostgreSQL", { scripts: run, steps, seconds });
  }, 1_200_000);
});
