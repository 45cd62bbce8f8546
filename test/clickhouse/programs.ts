import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A program of the READMEs that is running, and what it printed after its label. */
export interface RunningProgram {
  readonly process: ChildProcess;
  readonly printed: string;
  /** Sends SIGTERM and returns the exit code. */
  end(): Promise<number | null>;
}

/** Starts a program of `examples/packages`, as it was built, and waits for the line with the label. */
export async function startProgram(name: string, label: string, env: NodeJS.ProcessEnv): Promise<RunningProgram> {
  const program = spawn(process.execPath, [`examples/packages/dist/${name}.js`], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(program.stdout)) {
    const [, printed] = line.split(`${label}: `);
    if (printed === undefined) continue;
    program.stdout.resume();
    return {
      process: program,
      printed,
      async end() {
        program.kill("SIGTERM");
        await once(program, "exit");
        return program.exitCode;
      },
    };
  }
  throw new Error(`The program ${name} ended before it was ready.`);
}
