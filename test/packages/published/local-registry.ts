import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestProject } from "vitest/node";
import { installProgram } from "../../support/install-program.ts";
import { publishPackages } from "./publish-packages.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of a registry with the packages of this workspace and no others. */
    readonly registry: string;
  }
}

/** The last version of Verdaccio for Node 20. It asks for a tag of node-fetch that some mirrors of npm do not have. */
const verdaccio = { name: "verdaccio", version: "6.8.0", overrides: { "node-fetch": "2.7.0" } };

/** Starts a registry and publishes the packages to it, as they were built. `inject("registry")` returns its URL. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-registry-"));
  const script = join(import.meta.dirname, "serve-registry.mjs");
  const parameters = [script, await installProgram(verdaccio), folder];
  const server = spawn(process.execPath, parameters, {
    stdio: ["ignore", "pipe", "inherit"],
    env: trustingEnvironment(),
  });
  const stop = (): void => {
    server.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = await urlOf(server);
    await publishPackages(url);
    project.provide("registry", url);
    return stop;
  } catch (cause) {
    stop();
    throw cause;
  }
}

/** Verdaccio asks npm's registry too, and must trust the certificates that npm is configured to trust. */
function trustingEnvironment(): NodeJS.ProcessEnv {
  const file = execFileSync("npm", ["config", "get", "cafile"], { encoding: "utf8" }).trim();
  return file === "" || file === "null" ? process.env : { NODE_EXTRA_CA_CERTS: file, ...process.env };
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("The output of the registry is not read. Start it with a pipe.");
  const output: string[] = [];
  for await (const line of createInterface(stdout)) {
    const url = /^Registry: (\S+)$/.exec(line)?.[1];
    if (url !== undefined) {
      stdout.resume();
      return url;
    }
    output.push(line);
  }
  throw new Error(`The registry ended before it listened:\n${output.join("\n")}`);
}
