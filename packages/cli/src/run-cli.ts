import { CommanderError } from "commander";
import type { Run } from "./command.ts";
import { closeRecords } from "./config/close-records.ts";
import { findConfig } from "./config/find-config.ts";
import { loadRecords } from "./config/load-records.ts";
import { unlessInterrupted } from "./interruption.ts";
import { type GlobalOptions, makeProgram } from "./program.ts";
import { reportFailure, reportWarning } from "./report.ts";
import { Session } from "./session.ts";
import { BrokenPipe, type Terminal } from "./terminal.ts";

/** Runs one command line, given without the names of Node and of the program, and gives the exit code. */
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
  } catch (fault) {
    if (isEnough(fault)) return 0;
    return reportFailure(terminal, program.opts<GlobalOptions>().json ?? false, fault);
  }
}

/** Help and the version are thrown by the parser; who closes the pipe has read what it wanted. */
const isEnough = (fault: unknown): boolean =>
  fault instanceof BrokenPipe || (fault instanceof CommanderError && fault.exitCode === 0);
