import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

// The example imports the built packages.
it("a suite runs with node:test over a store of a library author", async () => {
  // Node's test runner does nothing inside another run of itself.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, ["--test", "own-store.example.mjs"], {
    cwd: import.meta.dirname,
    env,
  });
  expect(stdout).toMatch(/a repeated acceptance keeps the first date/);
  expect(stdout).toMatch(/pass 9\n/);
  expect(stdout).toMatch(/fail 0\n/);
}, 30_000);
