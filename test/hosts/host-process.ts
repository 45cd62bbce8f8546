import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort, listens } from "../support/free-port.ts";

/** A program that serves an example on the port in the variable PORT. */
export interface Program {
  readonly command: string;
  readonly parameters: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A running program. */
export interface HostProcess extends AsyncDisposable {
  readonly port: number;
  /** What it has printed so far. */
  output(): string;
}

/** Starts a program and waits until it listens. Rejects with its output if it ends before that. */
export async function startHost(program: Program, environment: Readonly<Record<string, string>>): Promise<HostProcess> {
  const port = await freePort();
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, PORT: String(port), ...environment, ...program.env };
  const child = spawn(program.command, program.parameters, { cwd: program.cwd, env, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, "exit");
  while (!(await listens(port))) {
    const isOver = await Promise.race([ended.then(() => true), pause().then(() => false)]);
    if (isOver) throw new Error(`The host ended before it listened:\n${output}`);
  }
  return {
    port,
    output: () => output,
    async [Symbol.asyncDispose]() {
      stop(child);
      await ended;
    },
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Also stops the processes that the program has started. */
function stop({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}
