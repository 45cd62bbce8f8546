import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const built = `${root}examples/quickstart/dist/main.js`;

/** A quickstart in a child process. */
export interface Quickstart {
  readonly process: ChildProcess;
  /** Its output so far. */
  readonly output: { stdout: string; stderr: string };
  /** Resolves with the exit code. */
  readonly exit: Promise<number | null>;
}

/** Creates a folder for the data of quickstarts. */
export const dataFolder = (): string => mkdtempSync(join(tmpdir(), "tollgate-quickstart-"));

/**
 * Starts the built quickstart with its offline provider; `env` is added to a minimal environment. Its data is in a new
 * folder, which is removed when it ends, unless `env` names a folder.
 */
export function startQuickstart(env: Readonly<Record<string, string>>): Quickstart {
  if (!existsSync(built)) throw new Error("The quickstart is not built. Run `node scripts/build.mjs` first.");
  const ownFolder = env["QUICKSTART_DATA"] === undefined ? dataFolder() : undefined;
  const data = ownFolder === undefined ? {} : { QUICKSTART_DATA: ownFolder };
  const child = spawn(process.execPath, [built], {
    env: { PATH: process.env["PATH"], QUICKSTART_OFFLINE: "1", ...data, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.stderr += chunk;
  });
  const exit = once(child, "exit").then(([code]: (number | null)[]) => {
    if (ownFolder !== undefined) rmSync(ownFolder, { recursive: true });
    return code ?? null;
  });
  return { process: child, output, exit };
}

/** Resolves when the output of the quickstart matches the pattern. Rejects if it ends before. */
export async function written(quickstart: Quickstart, pattern: RegExp): Promise<RegExpExecArray> {
  const { output, process } = quickstart;
  for (;;) {
    const found = pattern.exec(output.stdout);
    if (found !== null) return found;
    if (process.exitCode !== null) throw new Error(`The quickstart ended: ${output.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Stops the quickstart and waits until it has exited. */
export async function endQuickstart({ process, exit }: Quickstart): Promise<void> {
  process.kill("SIGKILL");
  await exit;
}
