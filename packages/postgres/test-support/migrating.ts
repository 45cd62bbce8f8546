import type { BalanceStore } from "@tollgate/core/store";
import type { Pool } from "pg";
import { expect, vi } from "vitest";
import { fundedAccount, holdRequest } from "./booking.ts";
import { chargeReceipt } from "./receipts.ts";

/** Changes of the table of holds. `key_id` is in the result of a statement. */
const changes = ["ALTER key_id TYPE varchar(200)", "ADD extra text", "ALTER key_id TYPE text", "DROP extra"];

const workers = 8;
const pairsBetweenChanges = 24;
const funds = 1_000_000n;

/** Changes the table of holds while the stores hold and settle. Expects that no call fails and that no amount is lost. */
export async function chargeDuringMigration(stores: readonly BalanceStore[], server: Pool, schema: string) {
  const [store] = stores;
  if (store === undefined) throw new TypeError("Pass at least one store.");
  let isOver = false;
  let pairs = 0;
  const work = async (at: number) => {
    const each = stores[at % stores.length] ?? store;
    const account = await fundedAccount(each, funds);
    let charged = 0n;
    while (!isOver) {
      const request = holdRequest(account, 10n);
      expect((await each.hold(request)).outcome).toBe("held");
      // Reads the columns of the hold that exists.
      expect((await each.hold(request)).outcome).toBe("held");
      expect((await each.settle(request, 3n, chargeReceipt)).outcome).toBe("ended");
      charged += 3n;
      pairs += 1;
    }
    expect((await each.balance(account)).posted).toBe(funds - charged);
  };
  const working = Promise.all(Array.from({ length: workers }, (_, at) => work(at)));
  const migrating = migrate(
    () => pairs,
    (change) => server.query(`ALTER TABLE "${schema}".hold ${change}`),
  ).finally(() => {
    isOver = true;
  });
  await Promise.all([working, migrating]);
  expect(await store.verify()).toEqual([]);
}

async function migrate(pairs: () => number, apply: (change: string) => Promise<unknown>): Promise<void> {
  for (const change of changes) {
    const next = pairs() + pairsBetweenChanges;
    await vi.waitUntil(() => pairs() >= next, { timeout: 10_000 });
    await apply(change);
  }
}
