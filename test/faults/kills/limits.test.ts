import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { afterAll, describe, expect, inject, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import type { LimiterAddress } from "../processes/open-limiter.ts";
import { killLimits } from "./kill-limits.ts";

const { seconds, leastKills } = { long: { seconds: 25, leastKills: 25 }, short: { seconds: 5, leastKills: 4 } }[form];
const redis = inject("redis") ?? "";
const postgres = inject("postgres") ?? "";

const pool = new Pool({ connectionString: postgres, max: 1 }).on("error", () => undefined);
const schemas: string[] = [];
afterAll(async () => {
  for (const schema of schemas) await pool.query(`DROP SCHEMA ${schema} CASCADE`);
  await pool.end();
});

/** Creates limits of their own for a run. */
type NewLimits = () => Promise<LimiterAddress>;

const inRedis: NewLimits = async () => ({ kind: "redis", url: redis, prefix: `faults-${crypto.randomUUID()}` });

const inPostgres: NewLimits = async () => {
  const schema = `limits_${crypto.randomUUID().slice(0, 8)}`;
  schemas.push(schema);
  await migratePostgres(pool, { schema });
  return { kind: "postgres", url: postgres, schema };
};

const stores = { Redis: { url: redis, newLimits: inRedis }, PostgreSQL: { url: postgres, newLimits: inPostgres } };

for (const [store, { url, newLimits }] of Object.entries(stores)) {
  describe.skipIf(url === "")(`limits in ${store}`, () => {
    it(`are never exceeded, and release every place within its lease, while workers are killed for ${seconds} s`, async () => {
      const { violations, figures, deaths } = await killLimits(await newLimits(), { seconds, killEveryMs: 700 });
      printFigures(`Kills on ${store} limits`, figures);
      expect(violations).toEqual([]);
      expect(deaths).toEqual([]);
      expect(figures["kills"]).toBeGreaterThanOrEqual(leastKills);
      const { exceeded: _exceeded, stuck: _stuck, ...seen } = figures;
      for (const [name, figure] of Object.entries(seen)) expect(figure, name).toBeGreaterThan(0);
    }, 60_000);
  });
}
