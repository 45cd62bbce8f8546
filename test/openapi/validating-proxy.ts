import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../support/free-port.ts";

const version = "5.14.2";
/** Outside of the workspace, since Prism has 185 dependencies that nothing else needs. */
const folder = resolve(`.runtimes/prism-${version}`);
const program = resolve(folder, "node_modules/@stoplight/prism-cli/dist/index.js");

/**
 * Installs Prism, unless an earlier run has. Takes about 20 s and needs the npm registry. Test files that run at the same
 * time each install it into a folder of their own, and the first one to finish renames it.
 */
export async function installPrism(): Promise<void> {
  if (existsSync(program)) return;
  const own = `${folder}.${process.pid}`;
  const quiet = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  await promisify(execFile)("npm", ["install", ...quiet, "--prefix", own, `@stoplight/prism-cli@${version}`]);
  try {
    renameSync(own, folder);
  } catch (cause) {
    rmSync(own, { recursive: true });
    if (!existsSync(program)) throw cause;
  }
}

/** A proxy that compares requests and responses with an OpenAPI document. */
export interface ValidatingProxy extends AsyncDisposable {
  readonly url: string;
}

/** Starts Prism in front of `upstream`. It answers 422 or 500 with the violations of a request or a response. */
export async function validatingProxy(document: string, upstream: string): Promise<ValidatingProxy> {
  const port = await freePort();
  const parameters = ["proxy", document, upstream, "--errors", "--port", String(port), "--host", "127.0.0.1"];
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ["ignore", "pipe", "pipe"] });
  await listening(child);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
    },
  };
}

/** Reads the output until Prism listens, and goes on reading, since Prism ends when it cannot write. */
function listening(child: ChildProcess): Promise<void> {
  let output = "";
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Prism is listening")) resolve();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once("exit", () => reject(new Error(`Prism ended before it listened: ${output}`)));
  });
}
