import { CommanderError } from "commander";
import type { Run } from "./command.ts";
import { closeRecords, findConfig, loadRecords } from "./config/load-records.ts";
import { unlessInterrupted } from "./interruption.ts";
import { type GlobalOptions, makeProgram } from "./program.ts";
import { reportFailure, reportWarning } from "./report.ts";
import { Session } from "./session.ts";
import { BrokenPipe, type Terminal } from "./terminal.ts";

/** Runs a command line, without the names of Node and the program, and returns the exit code. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  const run: Run = async (work) => {
    const { config, json = false } = program.opts<GlobalOptions>();
    const file = findConfig(terminal.cwd, config);
    const records = await unlessInterrupted(() => loadRecords(file), terminal.signal);
    try {
      await work(new Session(records, file, terminal, json));
    } finally {
      await closeRecords(records, (problem) => reportWarning(terminal, json, problem));
    }
  };
  const program = makeProgram(terminal, run);
  try {
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    if (isSuccess(error)) return 0;
    return reportFailure(terminal, program.opts<GlobalOptions>().json ?? false, error);
  }
}

/** The parser throws for --help and --version. A closed pipe means that the reader has enough. */
const isSuccess = (error: unknown): boolean =>
  error instanceof BrokenPipe || (error instanceof CommanderError && error.exitCode === 0);
