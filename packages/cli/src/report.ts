import { GatewayError } from "@tollgate/core";
import { CommanderError } from "commander";
import { Failure, reasonOf } from "./failure.ts";
import { maskSecrets } from "./output/mask-secrets.ts";
import { printableLines } from "./output/printable.ts";
import { type Terminal, write } from "./terminal.ts";

/** Writes a failure to the standard error, as a line of text or JSON, and returns its exit code. */
export async function reportFailure(terminal: Terminal, json: boolean, error: unknown): Promise<number> {
  const { code, message: text, details, exitCode } = toFailure(error);
  const message = maskSecrets(text);
  await writeLine(terminal, json ? JSON.stringify({ error: { code, message, ...details } }) : printableLines(message));
  return exitCode;
}

/** Writes a warning, which does not change the exit code, to the standard error. */
export async function reportWarning(terminal: Terminal, json: boolean, text: string): Promise<void> {
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
