import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

// The script imports the built packages.
it.each([true, false])(
  "a process with nothing else to do stays alive for a retry, stream %s",
  async (stream) => {
    const { stdout } = await run(process.execPath, ["single-request-host.mjs", String(stream)], {
      cwd: import.meta.dirname,
    });
    expect(stdout).toBe("200 true 2\n");
  },
  30_000,
);
