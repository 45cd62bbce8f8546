import { migratePostgres, postgresLimiter } from "@tollgate/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, inject, it } from "vitest";
import { form } from "../../form.ts";
import { checkProperty } from "../script.ts";
import { Tally } from "../tally.ts";
import { limiterProperty } from "./limiter-property.ts";

const url = inject("postgres");

describe.skipIf(url === undefined)("a limiter in PostgreSQL", () => {
  const schema = `model_${crypto.randomUUID().slice(0, 8)}`;
  const open = () => new Pool({ connectionString: url, max: 2 }).on("error", () => undefined);
  const [one, other] = [open(), open()];
  beforeAll(() => migratePostgres(one, { schema }));
  afterAll(async () => {
    await one.query(`DROP SCHEMA ${schema} CASCADE`);
    await Promise.all([one.end(), other.end()]);
  });

  it("matches the model after every call, with two pools", async () => {
    const tally = new Tally();
    const clients = [postgresLimiter(one, { schema }), postgresLimiter(other, { schema })] as const;
    // Leases are longer than the tolerance, so none expires during a script.
    const property = limiterProperty(() => ({ clients, toleranceMs: 15_000 }), tally);
    await checkProperty("Model of the limiter in PostgreSQL", property, form === "long" ? 2_000 : 60, tally);
  }, 600_000);
});
