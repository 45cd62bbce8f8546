import { setTimeout as sleep } from "node:timers/promises";

/** Resolves with the value once it has not changed for 300 ms. */
export async function untilSteady(read: () => number): Promise<number> {
  for (let last = -1; ; ) {
    const now = read();
    if (now === last) return now;
    last = now;
    await sleep(300);
  }
}
