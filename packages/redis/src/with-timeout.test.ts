import { stat } from "node:fs/promises";
import { expect, it } from "vitest";
import { withTimeout } from "./with-timeout.ts";

it("accepts a result that arrived while the event loop was blocked, even after the timeout", async () => {
  const result = withTimeout(20, stat("."));
  const start = performance.now();
  while (performance.now() - start < 100);
  expect((await result).isDirectory()).toBe(true);
});

it("rejects after the timeout", async () => {
  await expect(withTimeout(20, new Promise(() => undefined))).rejects.toThrow("no reply within 20 ms");
});
