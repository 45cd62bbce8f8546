import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, listens } from "../support/free-port.ts";
import type { Gateway } from "./gateway.ts";
import { sleep } from "./load/closed-loop.ts";
import { stopProcess } from "./processes/child.ts";
import { gatewayCore, pinned } from "./processes/cores.ts";

const folder = join(process.cwd(), ".runtimes", "portkey");
const script = join(folder, "node_modules", "@portkey-ai", "gateway", "build", "start-server.js");

/** The version that is measured. */
export const portkeyVersion = "1.15.2";

// With newer versions of Hono its streams break.
const manifest = {
  private: true,
  dependencies: { "@portkey-ai/gateway": portkeyVersion, hono: "4.9.7", "@hono/node-server": "1.13.8" },
  overrides: { hono: "4.9.7", "@hono/node-server": "1.13.8" },
};

/** Installs Portkey's gateway outside the workspace, unless it is there. Returns false, and says so, where that fails. */
export function installPortkey(): boolean {
  if (existsSync(script)) return true;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  try {
    execFileSync("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
    return true;
  } catch {
    console.log("Portkey's gateway could not be installed, so it is not measured. See the output of npm above.");
    return false;
  }
}

/** Starts Portkey's gateway in a process of its own. It has no probe, so its figures need /proc. */
export async function startPortkey(upstreamPort: number): Promise<Gateway> {
  const port = await freePort();
  const [command = "", ...args] = pinned(gatewayCore, [process.execPath, script, `--port=${port}`, "--headless"]);
  const child = spawn(command, args, { stdio: "ignore", cwd: folder });
  await untilListening(port);
  return {
    target: {
      port,
      base: "/v1",
      modelPrefix: "",
      headers: {
        Authorization: "Bearer sk-bench-0123456789abcdef0123456789abcdef",
        "x-portkey-provider": "openai",
        "x-portkey-custom-host": `http://127.0.0.1:${upstreamPort}/v1`,
      },
    },
    process: { pid: child.pid ?? 0 },
    stop: () => stopProcess(child),
  };
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await listens(port)) return;
    await sleep(0.1);
  }
  throw new Error("Portkey's gateway did not listen within 10 seconds. Run it by hand to see why.");
}
