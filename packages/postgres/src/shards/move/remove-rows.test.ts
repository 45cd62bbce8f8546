import { expect, it, vi } from "vitest";
import { interceptedPool } from "../../../test-support/intercepted-pool.ts";
import { plainHold } from "../../../test-support/receipts.ts";
import { shardDatabases } from "../../../test-support/shard-databases.ts";
import { describeWithPostgres } from "../../../test-support/with-postgres.ts";
import type { PostgresPool, PostgresResult } from "../../pool.ts";
import { shardedStores } from "../sharded-stores.ts";

describeWithPostgres("the rows of a moved account in its old shard", () => {
  const databases = shardDatabases("a", "b");
  const open = (wrap?: (pool: PostgresPool) => PostgresPool) =>
    shardedStores({ directory: databases.pool("a"), shards: databases.pools(wrap) });

  it("are removed without a deadlock while a process that knows the account there settles a hold", async () => {
    const failures: unknown[] = [];
    const noting = (answer: Promise<PostgresResult>) =>
      answer.catch((error: unknown) => {
        failures.push(error);
        throw error;
      });
    const stale = await open((pool) => interceptedPool(pool, (_statement, run) => noting(run())));
    const key = { id: crypto.randomUUID(), account: `account-${crypto.randomUUID()}` };
    await stale.balances.credit({ ...key, amount: 1_000n, reason: "top-up" });
    const receipt = { requestId: "job", description: "job" };
    await stale.balances.hold({ ...plainHold, ...key, keyId: undefined, receipt, amount: 10n, leaseMs: 60_000 });
    const from = await stale.shards.shardOf(key.account);
    const isSettling = async () => {
      const { rows } = await databases.pool(from).query(`
        SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%locked_hold%'`);
      return rows.length > 0;
    };
    const settled: PromiseLike<unknown>[] = [];
    const mover = await open((pool) =>
      interceptedPool(pool, async ({ text }, run) => {
        const result = await noting(run());
        const removesHolds = text.includes("DELETE") && text.includes("state = 'pending'");
        if (!removesHolds || settled.length > 0) return result;
        settled.push(Promise.resolve(stale.balances.settle(key, 4n, undefined)));
        await vi.waitUntil(isSettling, { timeout: 5_000 });
        return result;
      }),
    );
    await mover.shards.move(key.account, from === "a" ? "b" : "a");
    expect(await Promise.all(settled)).toEqual([{ outcome: "ended" }]);
    expect(failures).toEqual([]);
    expect((await mover.balances.balance(key.account)).posted).toBe(996n);
  });
});
