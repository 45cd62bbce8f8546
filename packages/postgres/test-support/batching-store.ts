import type { Awaitable } from "@tollgate/core/internal";
import type { Pool } from "pg";
import { expect } from "vitest";
import { postgresBalanceStore } from "../src/index.ts";
import { fundedAccount, holdRequest } from "./booking.ts";
import { gate, watchedPool } from "./watched-pool.ts";

interface Outcome {
  readonly outcome: string;
}

const maxAmount = 2n ** 63n - 1n;

/**
 * Opens a store with a new account. `runConcurrently` queues calls while a first call is blocked, so that they share a batch.
 * `statements` counts those after the first call.
 */
export async function openBatchingStore(pool: Pool, schema: string, amount: bigint) {
  let blocked: Promise<void> | undefined;
  const watched = watchedPool(pool, () => blocked);
  const store = postgresBalanceStore(watched, { schema });
  const account = await fundedAccount(store, amount);
  let before = 0;
  const runConcurrently = async (calls: () => Awaitable<Outcome>[], on = account): Promise<Outcome[]> => {
    const { opened, open } = gate();
    blocked = opened;
    const first = store.hold(holdRequest(on, maxAmount));
    const answers = Promise.all(calls());
    // The first call is refused, which takes one statement and a lookup of its id.
    before = watched.statements.length + 1;
    blocked = undefined;
    open();
    expect((await first).outcome).toBe("insufficient");
    return answers;
  };
  return { store, account, runConcurrently, statements: () => watched.statements.length - before };
}
