import { afterAll, beforeAll, describe, it } from "vitest";
import { checks } from "./checks.ts";
import type { Host } from "./hosts.ts";
import { type Stage, setStage } from "./stage.ts";

/** A host may have to be installed and built first. */
const startTimeoutMs = 900_000;

/** Runs all checks over a host, without those that it lacks. */
export function checkHost(host: Host): void {
  describe(host.name, () => {
    let stage: Stage | undefined;
    beforeAll(async () => {
      stage = await setStage(host);
    }, startTimeoutMs);
    afterAll(() => stage?.[Symbol.asyncDispose]());

    for (const { id, title, check } of checks)
      if (host.without?.[id] === undefined)
        it(title, async () => {
          if (stage === undefined) throw new Error(`${host.name} did not start.`);
          await check(stage);
        });
  });
}
