import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

// The script imports the packages as published, so they must have been built.
it.each([true, false])(
  "a process that waits for nothing but a second attempt stays for it, stream %s",
  async (stream) => {
    const { stdout } = await run(process.execPath, ["alone.mjs", String(stream)], { cwd: import.meta.dirname });
    expect(stdout).toBe("200 true 2\n");
  },
  30_000,
);
