import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../support/free-port.ts";

it("npm run dev serves the quickstart from the sources, and Ctrl-C stops it with everything that it started", async () => {
  const data = mkdtempSync(join(tmpdir(), "tollgate-dev-"));
  const port = String(await freePort());
  const environment = { PORT: port, QUICKSTART_DATA: data, QUICKSTART_OFFLINE: "1" };
  const dev = spawn(process.execPath, ["scripts/dev.mjs"], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
    stdio: ["ignore", "pipe", "inherit"],
    // A terminal sends Ctrl-C to the whole group.
    detached: true,
  });
  const signal = (name: NodeJS.Signals): void => {
    if (dev.pid !== undefined) process.kill(-dev.pid, name);
  };
  const exited = once(dev, "exit");
  onTestFinished(() => {
    if (dev.exitCode === null) signal("SIGKILL");
    rmSync(data, { recursive: true });
  });

  const { router, key } = await announced(dev.stdout);
  const models = await fetch(`${router}/models`, { headers: { authorization: `Bearer ${key}` } });
  signal("SIGINT");

  expect([router, models.status]).toEqual([`http://127.0.0.1:${port}/router/v1`, 200]);
  expect(await exited).toEqual([0, null]);
  expect(() => signal("SIGTERM")).toThrow("ESRCH");
}, 120_000);

async function announced(output: NodeJS.ReadableStream) {
  for await (const line of createInterface({ input: output })) {
    const [, router, key] = /^ +(\S+\/router\/v1) key (\S+)$/.exec(line) ?? [];
    if (router !== undefined) return { router, key };
  }
  throw new Error("npm run dev ended before the quickstart listened.");
}
