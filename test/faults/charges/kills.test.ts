import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { describe, expect, inject, it } from "vitest";
import type { ChargeTask } from "../processes/charge-worker.ts";
import { kill } from "../processes/kill.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import { openStores } from "../processes/open-stores.ts";
import { workerPath } from "../processes/worker-path.ts";
import { chargingGateway, price, stages } from "./charging-gateway.ts";

const url = inject("postgres");

describe("charges of a process that is killed while they are open", () => {
  it("expire, and are charged once when they are repeated, in SQLite", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-charges-"));
    try {
      await killAndRepeat({ kind: "sqlite", file: join(folder, "charges.db") });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.skipIf(url === undefined)("expire, and are charged once when they are repeated, in PostgreSQL", async () => {
    const schema = `charges_${crypto.randomUUID().slice(0, 8)}`;
    const pool = new Pool({ connectionString: url });
    try {
      await migratePostgres(pool, { schema });
      await killAndRepeat({ kind: "postgres", url: url ?? "", schema });
    } finally {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    }
  });
});

async function killAndRepeat(store: StoreAddress): Promise<void> {
  const stores = await openStores(store);
  const { balances } = stores;
  const account = `account-${crypto.randomUUID()}`;
  await balances.credit({ id: account, account, amount: 10n * price, reason: "top-up" });
  const spent = async () => {
    const { posted, held } = await balances.balance(account);
    return { charged: 10n * price - posted, held };
  };
  await killWhenWaiting({ store, account });
  // Of four orders, one was settled, one released, and two are open.
  expect(await spent()).toEqual({ charged: price, held: 2n * price });
  const gateway = chargingGateway(stores);
  const repeat = (id: string) => gateway.charges.charge({ account, id, amount: price, description: "The order again" });
  // One is repeated while its hold is pending, and the other once it has expired.
  await repeat("held");
  await expect.poll(spent).toEqual({ charged: 2n * price + price / 4n, held: 0n });
  for (const stage of stages.slice(0, 3)) await repeat(stage);
  await expect(repeat("released")).rejects.toMatchObject({ code: "conflict" });
  expect(await spent()).toEqual({ charged: 3n * price, held: 0n });
  expect(await balances.verify()).toEqual([]);
  await gateway.drain();
  await stores.close();
}

/** Starts a process, and kills it when its orders have come to their stages. */
async function killWhenWaiting(task: ChargeTask): Promise<void> {
  const child = spawn(process.execPath, [workerPath("charge-worker"), JSON.stringify(task)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The process ended with ${code} before it was killed.`);
  });
  await Promise.race([once(child, "message"), ended]);
  ended.catch(() => undefined);
  expect(await kill(child)).toBe(true);
}
