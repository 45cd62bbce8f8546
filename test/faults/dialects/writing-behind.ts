import { setTimeout as sleep } from "node:timers/promises";
import type { ResponseStore } from "@tollgate/core/store";
import { overriding } from "../../support/overriding.ts";

/**
 * A store that acknowledges a response `delayMs` before it writes it. Its own process sees no difference, since reading
 * waits for what is not written yet; a kill loses that.
 */
export function writingBehind(store: ResponseStore, delayMs: number): ResponseStore {
  let written: Promise<unknown> = Promise.resolve();
  return overriding(store, {
    async save(response) {
      const before = written;
      written = sleep(delayMs).then(async () => {
        await store.save(response);
        await before;
      });
      return { outcome: "saved" };
    },
    async conversation(ref, limits) {
      await written;
      return store.conversation(ref, limits);
    },
  });
}
