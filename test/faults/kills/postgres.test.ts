import { migratePostgres, postgresLimiter } from "@tollgate/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OwnPostgres } from "../../support/own-postgres.ts";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import { type KillPlan, killLedger } from "./kill-ledger.ts";
import { describeSeededMutations } from "./seeded-mutations.ts";

const { seconds, crashEveryMs, minimums } = {
  long: { seconds: 60, crashEveryMs: 10_000, minimums: { kills: 50, crashes: 4, holds: 10_000 } },
  short: { seconds: 7, crashEveryMs: 3_000, minimums: { kills: 5, crashes: 2, holds: 200 } },
}[form];

const plan: KillPlan = {
  seconds,
  minimums,
  workers: 4,
  loops: 12,
  leaseMs: 2_000,
  killEveryMs: 700,
  crash: {
    everyMs: crashEveryMs,
    run: async () => {
      await server.crash();
      await server.start();
    },
  },
};

let server: OwnPostgres;
beforeAll(async () => {
  server = await OwnPostgres.start();
});
afterAll(() => server.stop());

describe("a ledger in PostgreSQL", () => {
  it(`neither loses nor repeats an effect while workers and the server are killed for ${seconds} s`, async () => {
    const { figures, violations, deaths } = await killLedger(await newSchema(), plan);
    printFigures("Kills on PostgreSQL", figures);
    expect(violations).toEqual([]);
    expect(deaths).toEqual([]);
    for (const [name, count] of Object.entries(minimums)) expect(figures[name], name).toBeGreaterThanOrEqual(count);
  }, 300_000);

  it(`neither loses nor repeats a part of a lot while workers and the server are killed for ${seconds} s`, async () => {
    // Each hold here is one of several calls on its account: credits of lots, refunds and allowances.
    const withLots = { ...minimums, holds: minimums.holds / 2, refunds: 20 };
    const { figures, violations, deaths } = await killLedger(await newSchema(), {
      ...plan,
      lots: true,
      minimums: withLots,
    });
    printFigures("Kills on PostgreSQL with lots", figures);
    expect(violations).toEqual([]);
    expect(deaths).toEqual([]);
    expect(figures["lapses"]).toBeGreaterThan(0);
    for (const [name, count] of Object.entries(withLots)) expect(figures[name], name).toBeGreaterThanOrEqual(count);
  }, 300_000);

  describeSeededMutations(newSchema);
});

it("limits in PostgreSQL reject calls while the server is down, and start again empty after its crash", async () => {
  const { url, schema } = await newSchema();
  const pool = new Pool({ connectionString: url }).on("error", () => undefined);
  const limiter = postgresLimiter(pool, { schema });
  const window = { limit: 1, windowSeconds: 600 };
  const full = () => ({
    id: crypto.randomUUID(),
    subject: "s",
    leaseMs: 60_000,
    concurrency: 1,
    tokens: { amount: 1, window },
  });
  const before = full();
  expect(await limiter.reserve(before)).toEqual({ granted: true });
  expect(await limiter.countRequest("s", window)).toMatchObject({ granted: true });
  await server.crash();
  const calls = [
    limiter.countRequest("s", window),
    limiter.reserve(full()),
    limiter.settle(before, 1),
    limiter.renew([before]),
  ];
  for (const { status } of await Promise.allSettled(calls)) expect(status).toBe("rejected");
  await server.start();
  await limiter.settle(before, 5);
  expect(await limiter.countRequest("s", window)).toMatchObject({ granted: true });
  expect(await limiter.countRequest("s", window)).toMatchObject({ granted: false });
  expect(await limiter.reserve(full())).toEqual({ granted: true });
  expect(await limiter.reserve(full())).toMatchObject({ granted: false, refusedBy: "tokens" });
  await pool.end();
}, 60_000);

async function newSchema(): Promise<Extract<StoreAddress, { readonly kind: "postgres" }>> {
  const schema = `kills_${crypto.randomUUID().slice(0, 8)}`;
  const pool = new Pool({ connectionString: server.url });
  await migratePostgres(pool, { schema });
  await pool.end();
  return { kind: "postgres", url: server.url, schema };
}
