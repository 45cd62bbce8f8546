import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OwnPostgres } from "../../support/own-postgres.ts";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import type { SessionKillPlan } from "./disturb-turns.ts";
import { killSessions } from "./kill-sessions.ts";

const { seconds, minimums } = {
  long: { seconds: 45, minimums: { kills: 30, stops: 10, crashes: 4, turns: 200 } },
  short: { seconds: 4, minimums: { kills: 3, stops: 1, crashes: 1, turns: 20 } },
}[form];

const plan: SessionKillPlan = {
  seconds,
  minimums,
  workers: 3,
  loops: 4,
  sessions: 10,
  leaseMs: 1_000,
  killEveryMs: 500,
  crash: async () => {
    await server.crash();
    await server.start();
  },
};

let server: OwnPostgres;
beforeAll(async () => {
  server = await OwnPostgres.start();
});
afterAll(() => server.stop());

describe("sessions in PostgreSQL", () => {
  it(`have only complete turns, each once, while workers and the server are killed for ${seconds} s`, async () => {
    const { figures, violations, deaths } = await killSessions(await newSchema(), plan);
    printFigures("Turns killed on PostgreSQL", figures);
    expect(violations).toEqual([]);
    expect(deaths).toEqual([]);
    for (const [name, count] of Object.entries(minimums)) expect(figures[name], name).toBeGreaterThanOrEqual(count);
  }, 600_000);
});

async function newSchema(): Promise<StoreAddress> {
  const schema = `turns_${crypto.randomUUID().slice(0, 8)}`;
  const pool = new Pool({ connectionString: server.url });
  await migratePostgres(pool, { schema });
  await pool.end();
  return { kind: "postgres", url: server.url, schema };
}
