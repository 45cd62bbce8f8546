import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ended } from "./in-process.ts";

const bin = fileURLToPath(new URL("../../packages/cli/bin/tollgate.mjs", import.meta.url));
const built = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
const installed = fileURLToPath(new URL("../node_modules", import.meta.url));

/** A folder with a config file and the packages that it imports. */
export interface Folder {
  readonly path: string;
  remove(): void;
}

/** Creates a folder in which the built packages of the workspace are installed. */
export function makeFolder(config: string): Folder {
  if (!existsSync(built)) throw new Error("The command line is not built. Run `node scripts/build.mjs` first.");
  const path = mkdtempSync(join(tmpdir(), "tollgate-cli-"));
  symlinkSync(installed, join(path, "node_modules"));
  writeFileSync(join(path, "tollgate.config.mjs"), config);
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

/** A process in a folder. */
export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when the output matches. Rejects when the process ends first. */
  wrote(pattern: RegExp): Promise<void>;
}

/** Starts the program with a command line. `options` are those of Node. */
export const start = (folder: Folder, argv: readonly string[], options: readonly string[] = []): Running =>
  run(folder, process.execPath, [...options, bin, ...argv]);

/** Starts a shell command in which `tollgate` is the program. */
export const startShell = (folder: Folder, line: string): Running =>
  run(folder, "bash", ["-c", `tollgate() { '${process.execPath}' '${bin}' "$@"; }\n${line}`]);

function run({ path }: Folder, command: string, parameters: readonly string[]): Running {
  const child = spawn(command, parameters, { cwd: path, stdio: ["ignore", "pipe", "pipe"] });
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    output.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.err += chunk;
  });
  const ended = once(child, "close").then(([code]: number[]) => ({ code: code ?? Number.NaN, ...output }));
  const wrote = async (pattern: RegExp) => {
    while (!pattern.test(output.out)) {
      if (child.exitCode !== null) throw new Error(`The process ended: ${output.err}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { process: child, ended, wrote };
}
