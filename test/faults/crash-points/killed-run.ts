import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { CommitFault, CrashTask } from "../processes/crash-worker.ts";
import { workerPath } from "../processes/worker-path.ts";
import { operationCount } from "./operations.ts";

/** The system calls by which SQLite changes and flushes its files. A kill between two of them leaves what the first one left. */
const candidates = ["pwrite64", "fsync", "fdatasync", "ftruncate"];

/** A system call of a run, by its name and its number among those of this name. The process is killed when it is about to make it. */
export interface CrashPoint {
  readonly call: string;
  readonly number: number;
}

/** True if strace can trace a process on this machine. */
export const canTrace: boolean = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;

/** Starts runs on copies of one file, under strace. */
export class KilledRuns {
  readonly #template: string;
  readonly #fault: CommitFault | undefined;

  constructor(template: string, fault?: CommitFault) {
    this.#template = template;
    this.#fault = fault;
  }

  /** Lists every point of a run that is not killed. */
  async points(folder: string): Promise<readonly CrashPoint[]> {
    const log = `${folder}/calls`;
    const { acknowledged } = await this.#run(`${folder}/${crypto.randomUUID()}.db`, [
      "-c",
      "-o",
      log,
      "-e",
      `trace=${candidates}`,
    ]);
    if (acknowledged.length < operationCount) throw new Error(`The recorded run ended after ${acknowledged.length}.`);
    return candidates.flatMap((call) =>
      Array.from({ length: countOf(call, readFileSync(log, "utf8")) }, (_, at) => ({ call, number: at + 1 })),
    );
  }

  /** Runs on a new file until a point, and returns what was acknowledged. `killed` is false if the run did not reach it. */
  async runTo({ call, number }: CrashPoint, file: string): Promise<Run> {
    const injection = `inject=${call}:signal=SIGKILL:when=${number}`;
    return this.#run(file, ["-o", "/dev/null", "-e", `trace=${call}`, "-e", injection]);
  }

  async #run(file: string, options: readonly string[]): Promise<Run> {
    copyFileSync(this.#template, file);
    const task: CrashTask = { file, fault: this.#fault };
    const program = [process.execPath, workerPath("crash-worker"), JSON.stringify(task)];
    // Without --seccomp-bpf, with which strace injects no signals.
    const child = spawn("strace", ["-f", "-qq", ...options, ...program], { stdio: ["ignore", "pipe", "pipe"] });
    const [lines, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    const killed = child.signalCode === "SIGKILL";
    if (!killed && child.exitCode !== 0) throw new Error(`The worker ended with ${child.exitCode}: ${errors}`);
    return { acknowledged: lines.split("\n").slice(0, -1), killed };
  }
}

/** A run that has ended or was killed, and the outcomes that it has acknowledged. */
export interface Run {
  readonly acknowledged: readonly string[];
  readonly killed: boolean;
}

/** Reads the number of calls from the table of `strace -c`, of which the fourth column has it. */
function countOf(call: string, table: string): number {
  const row = table.split("\n").find((line) => line.trim().split(/\s+/).at(-1) === call);
  return Number(row?.trim().split(/\s+/)[3] ?? 0);
}

/** Chooses points of every system call, evenly over the run. Those that are made rarely leave their share to the others. */
export function spread(points: readonly CrashPoint[], count: number): readonly CrashPoint[] {
  const groups = candidates
    .map((name) => points.filter(({ call }) => call === name))
    .sort((one, other) => one.length - other.length);
  let left = count;
  return groups.flatMap((group, at) => {
    const share = Math.min(group.length, Math.floor(left / (groups.length - at)));
    left -= share;
    return group.filter(
      (_, place) => Math.floor((place * share) / group.length) < Math.floor(((place + 1) * share) / group.length),
    );
  });
}
