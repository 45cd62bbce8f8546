import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { afterAll, describe, expect, inject, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { type LimiterAddress, withMutatedLimits } from "../processes/open-limiter.ts";
import { killLimits } from "./kill-limits.ts";

const { seconds, leastKills } = { long: { seconds: 25, leastKills: 25 }, short: { seconds: 8, leastKills: 7 } }[form];
const redis = inject("redis") ?? "";
const postgres = inject("postgres") ?? "";

const pool = new Pool({ connectionString: postgres, max: 1 }).on("error", () => undefined);
const schemas: string[] = [];
afterAll(async () => {
  for (const schema of schemas) await pool.query(`DROP SCHEMA ${schema} CASCADE`);
  await pool.end();
});

/** Creates limits of their own for a run. With `mutated`, tokens are refunded to later windows. */
type NewLimits = (mutated: boolean) => Promise<LimiterAddress>;

const inRedis: NewLimits = async (mutated) => {
  return { kind: "redis", url: redis, prefix: `faults-${crypto.randomUUID()}`, mutated };
};

const inPostgres: NewLimits = async (mutated) => {
  const schema = `limits_${crypto.randomUUID().slice(0, 8)}`;
  schemas.push(schema);
  await migratePostgres(mutated ? withMutatedLimits(pool) : pool, { schema });
  return { kind: "postgres", url: postgres, schema };
};

const stores = { Redis: { url: redis, newLimits: inRedis }, PostgreSQL: { url: postgres, newLimits: inPostgres } };

for (const [store, { url, newLimits }] of Object.entries(stores)) {
  describe.skipIf(url === "")(`limits in ${store}`, () => {
    it(`are never exceeded, and release every place within its lease, while workers are killed for ${seconds} s`, async () => {
      const { violations, figures, deaths } = await killLimits(await newLimits(false), { seconds, killEveryMs: 700 });
      printFigures(`Kills on ${store} limits`, figures);
      expect(violations).toEqual([]);
      expect(deaths).toEqual([]);
      expect(figures["kills"]).toBeGreaterThanOrEqual(leastKills);
      const { exceeded: _exceeded, stuck: _stuck, ...seen } = figures;
      for (const [name, figure] of Object.entries(seen)) expect(figure, name).toBeGreaterThan(0);
    }, 60_000);

    it("are reported as exceeded when refunds reach a later window", async () => {
      let seen = "";
      // Whether a refund is late enough depends on chance and on the load of the machine.
      for (let tries = 0; tries < 4 && seen === ""; tries++) {
        const { violations, deaths } = await killLimits(await newLimits(true), { seconds: 8, killEveryMs: 3_000 });
        expect(deaths).toEqual([]);
        seen = violations.join("\n");
      }
      expect(seen).toMatch(/tokens were granted in a window where/);
    }, 120_000);
  });
}
