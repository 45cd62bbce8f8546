import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

// The example imports the packages as published, so they must have been built.
it("runs a suite over a library author's store with node:test", async () => {
  // Node's runner does nothing inside another run of itself.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, ["--test", "own-store.example.mjs"], {
    cwd: import.meta.dirname,
    env,
  });
  expect(stdout).toMatch(/accepting again keeps the first date/);
  expect(stdout).toMatch(/pass 8\n/);
  expect(stdout).toMatch(/fail 0\n/);
}, 30_000);
