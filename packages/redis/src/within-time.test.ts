import { stat } from "node:fs/promises";
import { expect, it } from "vitest";
import { withinTime } from "./within-time.ts";

it("takes an answer that arrived while the event loop was held up, even after its time", async () => {
  const answer = withinTime(20, stat("."));
  const begun = performance.now();
  while (performance.now() - begun < 100);
  expect((await answer).isDirectory()).toBe(true);
});

it("rejects what takes longer", async () => {
  await expect(withinTime(20, new Promise(() => undefined))).rejects.toThrow("no answer within 20 ms");
});
