import { setTimeout as sleep } from "node:timers/promises";
import { postgresStores } from "@tollgate/postgres";
import { Pool } from "pg";
import { chargeReceipt, plainHold } from "../../../packages/core/test-support/receipts.ts";
import { Journal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import { readTask } from "./task.ts";

/** The task of a process that pays from slices of an account until it is killed. */
export interface SlicesTask {
  readonly url: string;
  readonly schema: string;
  readonly account: string;
  readonly keyId: string;
  /** Nano-units of a slice, as text. */
  readonly slice: string;
  readonly leaseMs: number;
}

/** A settlement, with the cost in nano-units as text. */
export interface SliceCall {
  readonly cost: string;
}

const loops = 8;
const task = readTask<SlicesTask & Life>();
void work();

async function work(): Promise<void> {
  const pool = new Pool({ connectionString: task.url, max: 4 }).on("error", () => undefined);
  const slices = { amount: BigInt(task.slice), above: 0n };
  const { balances } = await postgresStores(pool, { schema: task.schema, migrate: false, slices });
  const journal = new Journal<SliceCall, string>(task.journal);
  const { account, keyId, leaseMs } = task;
  const loop = async (): Promise<void> => {
    for (;;) {
      const hold = { id: crypto.randomUUID(), account };
      const { outcome } = await balances.hold({ ...hold, keyId, amount: 100n, leaseMs, ...plainHold });
      if (outcome !== "held") throw new Error(`A request that the account can pay for was refused: ${outcome}.`);
      await sleep(1);
      const settle = async () => balances.settle(hold, 60n, chargeReceipt);
      await journal.record({ cost: "60" }, settle, ({ outcome }) => outcome);
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
}
