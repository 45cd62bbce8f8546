import { expect, it } from "vitest";
import { fundedAccount } from "../test-support/booking.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresBalanceStore } from "./index.ts";

describeWithPostgres("a sweep in PostgreSQL", ({ schema, pool }) => {
  const server = pool();

  it("looks up each hold by its id when the backlog is larger than in the planner's statistics", async () => {
    const store = postgresBalanceStore(pool({ statement_timeout: 2_000 }), { schema });
    const account = await fundedAccount(store, 1_000_000n);
    const add = (count: number, state: string) =>
      server.query({
        text: `INSERT INTO "${schema}".hold (id, account_id, key_id, amount, used, state, expires_at)
               SELECT gen_random_uuid()::text, $1, 'key-1', 0, 1, $3, now() - interval '1 s' FROM generate_series(1, $2::int)`,
        values: [account, count, state],
      });
    await add(20_000, "settled");
    await server.query(`ANALYZE "${schema}".hold`);
    await add(12_000, "pending");
    const calls = [];
    do calls.push(await store.expire());
    while (calls.at(-1) !== 0);
    expect(calls.reduce((sum, ended) => sum + ended)).toBe(12_000);
    expect((await store.balance(account)).posted).toBe(1_000_000n - 12_000n);
  });
});
