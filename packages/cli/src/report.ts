import { CommanderError } from "commander";
import { Failure, reasonOf } from "./failure.ts";
import { maskSecrets } from "./output/mask-secrets.ts";
import { printableLines } from "./output/printable.ts";
import { type Terminal, write } from "./terminal.ts";

/** Tells the operator of a failure on the standard error, as a line of text or of JSON, and gives its exit code. */
export async function reportFailure(terminal: Terminal, json: boolean, fault: unknown): Promise<number> {
  const { code, message: text, details, exitCode } = toFailure(fault);
  const message = maskSecrets(text);
  await tell(terminal, json ? JSON.stringify({ error: { code, message, ...details } }) : printableLines(message));
  return exitCode;
}

/** Tells the operator of what does not change how the command ended. */
export async function reportWarning(terminal: Terminal, json: boolean, text: string): Promise<void> {
  const message = maskSecrets(text);
  await tell(terminal, json ? JSON.stringify({ warning: { message } }) : printableLines(message));
}

function toFailure(fault: unknown): Failure {
  if (fault instanceof Failure) return fault;
  if (fault instanceof CommanderError) return new Failure("usage", `${asSentence(fault)} Add --help to see more.`);
  return new Failure("failed", `The command failed: ${reasonOf(fault)}. Try again.`);
}

/** The parser's messages begin with "error: " in lower case, and may have a suggestion on a second line. */
function asSentence({ code, message }: CommanderError): string {
  if (code === "commander.help") return "A command is missing.";
  const [first = "", ...more] = message.replace(/^error: /, "").split("\n");
  return [`${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, "")}.`, ...more].join(" ");
}

async function tell({ err }: Terminal, line: string): Promise<void> {
  try {
    await write(err, `${line}\n`);
  } catch {
    // Nobody reads the errors; the exit code still tells.
  }
}
