import { GatewayError } from "@tollgate/core";
import { CommanderError } from "commander";
import type { Run } from "./command.ts";
import { Failure, reasonOf } from "./failure.ts";
import { unlessInterrupted } from "./interruption.ts";
import { maskSecrets, printableLines } from "./output/printable.ts";
import { type GlobalOptions, makeProgram } from "./program.ts";
import { closeRecords, findConfig, loadRecords } from "./records.ts";
import { Session } from "./session.ts";
import { BrokenPipe, type Terminal, write } from "./terminal.ts";

/** Runs a command line, without the names of Node and the program, and returns the exit code. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  const run: Run = async (work, load = loadRecords) => {
    const { config, json = false } = program.opts<GlobalOptions>();
    const file = findConfig(terminal.cwd, config);
    const records = await unlessInterrupted(() => load(file), terminal.signal);
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

/** Writes a failure to the standard error, as a line of text or JSON, and returns its exit code. */
async function reportFailure(terminal: Terminal, json: boolean, error: unknown): Promise<number> {
  const { code, message: text, details, exitCode } = toFailure(error);
  const message = maskSecrets(text);
  await writeLine(terminal, json ? JSON.stringify({ error: { code, message, ...details } }) : printableLines(message));
  return exitCode;
}

/** Writes a warning, which does not change the exit code, to the standard error. */
async function reportWarning(terminal: Terminal, json: boolean, text: string): Promise<void> {
  const message = maskSecrets(text);
  await writeLine(terminal, json ? JSON.stringify({ warning: { message } }) : printableLines(message));
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof CommanderError)
    return new Failure("usage", `${asSentence(error)} Use --help for more information.`);
  if (GatewayError.is(error) && error.code === "invalid_request") return new Failure("usage", withOptionNames(error));
  return new Failure("failed", `The command failed: ${reasonOf(error)}. Try again.`);
}

/** Formats a message of the parser, which begins with "error: " and can have a suggestion on a second line. */
function asSentence({ code, message }: CommanderError): string {
  if (code === "commander.help") return "A command is missing.";
  const [first = "", ...more] = message.replace(/^error: /, "").split("\n");
  return [`${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, "")}.`, ...more].join(" ");
}

/** An operation names the members of its input as clients of the API know them: `from` is the option --from. */
const withOptionNames = ({ message }: GatewayError): string => message.replace(/`([a-z]+)`/g, "--$1");

async function writeLine({ err }: Terminal, line: string): Promise<void> {
  try {
    await write(err, `${line}\n`);
  } catch {
    // The standard error is closed. The exit code still reports the failure.
  }
}
