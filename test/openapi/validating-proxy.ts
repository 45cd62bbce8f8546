import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { installProgram } from "../support/install-program.ts";

/** Outside of the workspace, since Prism has 185 dependencies that nothing else needs. */
const prism = { name: "@stoplight/prism-cli", version: "5.14.2" };

/** Installs Prism, unless an earlier run has. Takes about 20 s and needs the npm registry. */
export async function installPrism(): Promise<void> {
  await installProgram(prism);
}

/** A proxy that compares requests and responses with an OpenAPI document. */
export interface ValidatingProxy extends AsyncDisposable {
  readonly url: string;
}

/** Starts Prism in front of `upstream`. It answers 422 or 500 with the violations of a request or a response. */
export async function validatingProxy(document: string, upstream: string): Promise<ValidatingProxy> {
  const program = join(await installProgram(prism), "dist/index.js");
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
