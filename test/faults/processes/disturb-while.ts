import { setTimeout as sleep } from "node:timers/promises";

/** A fault that is repeated at an interval. */
export interface Disturbance {
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

/** Runs a task and repeats the disturbances until it ends. Rejects when a disturbance fails. */
export async function disturbWhile(task: () => Promise<void>, disturbances: readonly Disturbance[]): Promise<void> {
  const over = new AbortController();
  const disturbing = Promise.all(disturbances.map((each) => repeat(each, over.signal)));
  try {
    await Promise.race([task(), disturbing]);
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
