import { memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { postgresBalanceStore } from "@tollgate/postgres";
import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { describeWithPostgres } from "../../packages/postgres/test-support/with-postgres.ts";
import { lotSteps, start, stateOf, takeStep } from "../support/lot-steps.ts";

describeWithPostgres("lots, allowances and refunds in PostgreSQL", ({ schema, pool }) => {
  // The functions of this schema replace those of the server with the same names.
  const server = pool({ options: `-c search_path="${schema}",pg_catalog -c synchronous_commit=off` });
  const setClock = () =>
    server.query(`UPDATE "${schema}".test_clock SET time = to_timestamp($1::float8 / 1000)`, [Date.now()]);
  beforeAll(async () => {
    await server.query(`CREATE TABLE "${schema}".test_clock AS SELECT pg_catalog.now() AS time`);
    for (const name of ["clock_timestamp", "now"])
      await server.query(`CREATE FUNCTION "${schema}".${name}() RETURNS timestamptz LANGUAGE sql VOLATILE
        AS 'SELECT time FROM "${schema}".test_clock'`);
  });
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("have the same effects as in memory", async () => {
    await fc.assert(
      fc.asyncProperty(lotSteps, async (steps) => {
        vi.setSystemTime(start);
        await setClock();
        // What an earlier run has left would expire in a sweep of this one.
        await server.query(
          `DELETE FROM "${schema}".hold WHERE state = 'pending'; UPDATE "${schema}".account SET held = 0`,
        );
        const run = crypto.randomUUID();
        const stores: readonly BalanceStore[] = [memoryBalanceStore(), postgresBalanceStore(server, { schema })];
        for (const step of steps) {
          if (step.verb === "pass") {
            vi.setSystemTime(Date.now() + Math.max(0, step.seconds) * 1_000);
            await setClock();
          }
          const [expected, found] = await Promise.all(stores.map((store) => takeStep(store, run, step)));
          expect(found, `${step.verb} ${step.at}`).toEqual(expected);
        }
        const [expected, found] = await Promise.all(stores.map((store) => stateOf(store, run)));
        expect(found).toEqual(expected);
        for (const store of stores) expect(await store.verify()).toEqual([]);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  }, 120_000);
});
