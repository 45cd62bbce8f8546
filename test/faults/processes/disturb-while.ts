import { setTimeout as sleep } from "node:timers/promises";

/** Something that is done again and again, one after the other. */
export interface Disturbance {
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

/** Disturbs what goes on until it is done; a disturbance that fails ends it. */
export async function disturbWhile(goOn: () => Promise<void>, disturbances: readonly Disturbance[]): Promise<void> {
  const over = new AbortController();
  const disturbing = Promise.all(disturbances.map((each) => repeat(each, over.signal)));
  try {
    await Promise.race([goOn(), disturbing]);
  } finally {
    over.abort();
    await disturbing;
  }
}

async function repeat({ everyMs, run }: Disturbance, over: AbortSignal): Promise<void> {
  for (let next = Date.now() + everyMs; ; next += everyMs) {
    await sleep(Math.max(0, next - Date.now()), undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    await run();
  }
}
