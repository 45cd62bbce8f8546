import type { Awaitable } from "./awaitable.ts";
import { withinTime } from "./timers.ts";

/** The time between two sweeps of a process, in milliseconds. */
export const sweepIntervalMs = 600_000;

const maxCalls = 100;

/** A store whose entries expire. Each call removes a batch, and returns 0 when no expired entry is left. */
export interface ExpiringStore {
  expire(): Awaitable<number>;
}

/**
 * Removes the expired entries of a store, in at most 100 calls of at most `timeoutMs` milliseconds each. It makes no
 * further call when `goesOn` returns false. Rejects when a call fails.
 */
export async function removeExpired(store: ExpiringStore, timeoutMs: number, goesOn = () => true): Promise<void> {
  for (let calls = 0; calls < maxCalls && goesOn(); calls++) {
    const call = async () => store.expire();
    if (!((await withinTime(call(), timeoutMs)) > 0)) return;
  }
}
