import type { BalanceStore } from "@tollgate/core/store";
import { migratePostgres, postgresBalanceStore, postgresLimiter } from "@tollgate/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chargeReceipt, plainHold } from "../../../packages/core/test-support/receipts.ts";
import { watchedPool } from "../../../packages/postgres/test-support/watched-pool.ts";
import { hasEveryProgram } from "../../support/own-postgres.ts";
import { form } from "../form.ts";
import { PostgresPair } from "./postgres-pair.ts";

const account = "acme";
const amount = 100n;

describe.skipIf(!hasEveryProgram)("a server that waits for its standby (needs Debian's postgresql)", () => {
  let pair: PostgresPair;
  const pools: Pool[] = [];

  beforeAll(async () => {
    pair = await PostgresPair.start("remote_apply");
    await migratePostgres(openPool(pair.url));
    const store = openStore();
    await store.credit({ id: "opening", account, amount: 1_000n, reason: "test" });
    for (const id of ["answered", "unanswered", "canceled"]) {
      await store.hold({ id, account, keyId: "key", amount, leaseMs: 600_000, ...plainHold });
    }
  }, 120_000);
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await pair?.stop();
  });

  it("acknowledges no settlement that the standby has not, and after a failover its repetition charges once", async () => {
    const store = openStore();
    const impatient = openStore({ statement_timeout: 300, query_timeout: 600 });
    const settle = (id: string, by = store) => by.settle({ id, account }, 40n, chargeReceipt);
    expect(await settle("answered")).toMatchObject({ outcome: "ended" });
    pair.replication = "lost";
    await expect(settle("unanswered", impatient)).rejects.toThrow();
    // It waits for the first one, which is committed on this server alone and holds its locks.
    await expect(settle("unanswered", impatient)).rejects.toThrow();
    await pair.restart();
    // The first one is in the ledger of this server now, so this one repeats it, and waits for the standby too.
    await expect(settle("unanswered", impatient)).rejects.toThrow();
    await pair.failOver("crashed");
    expect(await settle("answered")).toMatchObject({ outcome: "repeated" });
    expect(await settle("unanswered")).toMatchObject({ outcome: "ended" });
    expect(await settle("unanswered")).toMatchObject({ outcome: "repeated" });
    expect(await store.balance(account)).toMatchObject({ posted: 920n, held: amount });
    expect(await store.verify()).toEqual([]);
    await pair.addStandby();
  }, 60_000);

  it("vanishes, and calls on connections to it end with the timeout of their pool", async () => {
    const pool = openPool(pair.url, { query_timeout: 1_000 });
    await pool.query("SELECT 1");
    await pair.failOver("cut off");
    await expect(pool.query("SELECT 1")).rejects.toThrow("Query read timeout");
    expect((await pool.query("SELECT 1")).rowCount).toBe(1);
    await pair.addStandby();
  }, 60_000);

  it("has a standby that refuses limits, after which statements keep their names", async () => {
    const pool = watchedPool(openPool(pair.standbyUrl));
    const limiter = postgresLimiter(pool);
    const reservation = { id: crypto.randomUUID(), subject: "s", leaseMs: 60_000, concurrency: 1 };
    await expect(limiter.reserve(reservation)).rejects.toThrow(/during recovery|read-only/);
    await expect(limiter.renew([reservation])).rejects.toThrow(/during recovery|read-only/);
    await pair.failOver("crashed");
    expect(await limiter.reserve(reservation)).toEqual({ granted: true });
    expect(pool.statements.at(-1)?.name).toBeDefined();
  }, 60_000);

  if (form === "long") it("loses a settlement whose wait for the standby was canceled", loseCanceled, 60_000);

  async function loseCanceled(): Promise<void> {
    const store = openStore();
    const settle = () => store.settle({ id: "canceled", account }, 40n, chargeReceipt);
    await pair.addStandby();
    pair.replication = "lost";
    const settled = settle();
    await cancelWait(openPool(pair.url));
    expect(await settled).toMatchObject({ outcome: "ended" });
    await pair.failOver("crashed");
    // The ledger knows nothing of it.
    expect(await settle()).toMatchObject({ outcome: "ended" });
  }

  function openStore(timeouts = {}): BalanceStore {
    return postgresBalanceStore(openPool(pair.url, timeouts));
  }

  function openPool(connectionString: string, timeouts = {}): Pool {
    const pool = new Pool({ connectionString, ...timeouts }).on("error", () => undefined);
    pools.push(pool);
    return pool;
  }
});

/** Cancels the statement that waits for a standby, as soon as there is one. */
async function cancelWait(pool: Pool): Promise<void> {
  const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  await expect.poll(async () => (await pool.query(cancel)).rowCount).toBe(1);
}
