import { expect, it } from "vitest";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresStores } from "./index.ts";

describeWithPostgres("a key that a process of an older version rotates", ({ schema, pool }) => {
  const server = pool();

  it("has the counters of the first key of its chain", async () => {
    const { keys } = await postgresStores(server, { schema });
    const { key: first } = await keys.create({ account: "a", plan: "basic" });
    const second = await keys.rotate(first.id, { graceMs: 60_000 });
    const rotateAsBefore = (id: string, from = "") =>
      server.query(
        `INSERT INTO "${schema}".api_key (id, digest, last_four, account_id, plan, rotated_from)
         VALUES ($1, $1, 'wxyz', 'a', 'basic', $2)`,
        [id, from],
      );
    await rotateAsBefore("of-first", first.id);
    await rotateAsBefore("of-second", second?.key.id);
    for (const id of ["of-first", "of-second"]) {
      expect(await keys.get(id)).toMatchObject({ limitsId: first.id });
      expect(await keys.update(id, { name: "new" })).toMatchObject({ limitsId: first.id });
      expect((await keys.rotate(id, { graceMs: 60_000 }))?.key).toMatchObject({ rotatedFrom: id, limitsId: first.id });
    }
  });
});
