/** Something that waits for a connection. */
export interface Waiting {
  /** Where it stands in the list; the list keeps it, and nothing else may write it. */
  position: number;
  /** When its wait ends, on the clock of `performance.now()`, which nobody sets. */
  readonly connectsUntil: number;
  /** Its wait has ended without a connection. */
  expire(): void;
}

const periodMs = 25;

/** What waits for a connection now: one timer for all of it, since undici lets even a request that finds an open one wait for a turn. */
const waiting: Waiting[] = [];
let timer: NodeJS.Timeout | undefined;

/** Ends the wait at its time, or at most 25 ms after it. */
export function expectConnection(one: Waiting): void {
  one.position = waiting.push(one) - 1;
  timer ??= setInterval(look, periodMs);
}

/** It waits no longer. Idempotent. */
export function connected(one: Waiting): void {
  if (waiting[one.position] !== one) return;
  const last = waiting.pop();
  if (last === undefined || last === one) return;
  waiting[one.position] = last;
  last.position = one.position;
}

function look(): void {
  const now = performance.now();
  if (waiting.length === 0) {
    clearInterval(timer);
    timer = undefined;
  }
  for (const one of [...waiting]) if (one.connectsUntil <= now) one.expire();
}
