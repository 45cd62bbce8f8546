import { IndexedSet, type Listed } from "@tollgate/core/internal";

/** Something that waits for a connection. */
export interface Waiting extends Listed {
  /** When its wait ends, on the clock of `performance.now()`, which nobody sets. */
  readonly connectsUntil: number;
  /** Its wait has ended without a connection. */
  expire(): void;
}

const periodMs = 25;

/** What waits for a connection now: one timer for all of it, since undici lets even a request that finds an open one wait for a turn. */
const waiting = new IndexedSet<Waiting>();
let timer: NodeJS.Timeout | undefined;

/** Ends the wait at its time, or at most 25 ms after it. */
export function expectConnection(one: Waiting): void {
  waiting.add(one);
  timer ??= setInterval(look, periodMs);
}

/** It waits no longer. Idempotent. */
export function connected(one: Waiting): void {
  waiting.delete(one);
}

function look(): void {
  const now = performance.now();
  if (waiting.size === 0) {
    clearInterval(timer);
    timer = undefined;
  }
  for (const one of waiting.snapshot()) if (one.connectsUntil <= now) one.expire();
}
