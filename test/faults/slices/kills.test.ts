import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type PostgresStores, postgresStores } from "@tollgate/postgres";
import { Pool } from "pg";
import { expect, inject, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { disturbWhile } from "../processes/disturb-while.ts";
import { readJournals } from "../processes/journal.ts";
import { KilledWorkers } from "../processes/killed-workers.ts";
import type { SliceCall, SlicesTask } from "../processes/slices-worker.ts";
import { workerPath } from "../processes/worker-path.ts";

const { seconds, kills: leastKills } = { long: { seconds: 60, kills: 60 }, short: { seconds: 2.5, kills: 2 } }[form];
const workers = 2;
const credited = 10n ** 15n;
const slice = 100_000n;
const account = "a";
const url = inject("postgres");

it.skipIf(url === undefined)(
  "a killed process loses at most a slice, and nothing is charged twice",
  async () => {
    const schema = `slices_${crypto.randomUUID().slice(0, 8)}`;
    const pool = new Pool({ connectionString: url });
    const folder = await mkdtemp(join(tmpdir(), "tollgate-slices-"));
    try {
      const stores = await postgresStores(pool, { schema });
      const { key } = await stores.keys.create({ account, plan: "prepaid" });
      await stores.balances.credit({ id: "credit", account, amount: credited, reason: "test" });
      const task = { url: url ?? "", schema, account, keyId: key.id, slice: String(slice), leaseMs: 1_000 };
      const killed = new KilledWorkers<SlicesTask>(workerPath("slices-worker"), folder, task);
      killed.start(workers);
      const enough = async () => {
        await sleep(seconds * 1_000);
        while (killed.kills < leastKills || (await settledSlices(stores)) < leastKills) await sleep(100);
      };
      await disturbWhile(enough, [{ everyMs: 800, run: () => killed.killOne() }]);
      await killed.stop();
      expect(killed.deaths).toEqual([]);
      await checkCharges(stores, folder, killed.kills + workers);
    } finally {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
      await rm(folder, { recursive: true });
    }
  },
  180_000,
);

/** Compares what the account was charged with the journals of processes of which so many were killed. */
async function checkCharges(stores: PostgresStores, folder: string, kills: number): Promise<void> {
  const { balances } = stores;
  await expect
    .poll(async () => {
      await balances.expire();
      return (await balances.balance(account)).held;
    })
    .toBe(0n);
  const moments = readJournals<SliceCall, string>(folder);
  const costOf = (happened: "begun" | "answered") =>
    moments.reduce((sum, each) => sum + (each.happened === happened ? BigInt(each.recorded.call.cost) : 0n), 0n);
  const [begun, answered] = [costOf("begun"), costOf("answered")];
  const charged = credited - (await balances.balance(account)).posted;
  const slices = await settledSlices(stores);
  printFigures("Kills with slices", { kills, slices, requests: moments.length / 2, answered, charged });
  expect(charged).toBeLessThanOrEqual(begun);
  expect(charged).toBeGreaterThanOrEqual(answered - BigInt(kills) * slice);
  expect(await balances.verify()).toEqual([]);
}

async function settledSlices({ balances }: PostgresStores): Promise<number> {
  const { entries } = await balances.entries({ account, limit: 100_000 });
  return entries.filter(({ receipt }) => receipt?.charge?.status.startsWith("slice of ")).length;
}
