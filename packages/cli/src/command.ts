import { userInfo } from "node:os";
import type { Command } from "commander";
import { readText } from "./readers.ts";
import type { Records } from "./records.ts";
import type { Session } from "./session.ts";

/** Opens the stores of the config file, or those that `load` returns of it, runs the work of a command, and always closes them. */
export type Run = (
  work: (session: Session) => Promise<void>,
  load?: (file: string) => Promise<Records>,
) => Promise<void>;

/** Formats the examples at the end of a command's help. */
export const example = (...lines: readonly string[]): string =>
  ["", lines.length === 1 ? "Example:" : "Examples:", ...lines.map((line) => `  $ tollgate ${line}`)].join("\n");

/** The option of every command that changes something. */
export interface ActorOption {
  readonly actor?: string;
}

/** Adds `--actor`. */
export const addActorOption = (command: Command): Command =>
  command.option("--actor <name>", "who makes the change, for the audit log (default: your user)", readText("--actor"));

/** A call of an operation by the operator of the command line, who may do everything: what it leaves out of its input. */
export const calledBy = (actor = systemUser()) => ({
  operator: { actor, role: "admin" as const },
  id: "",
  query: {},
  body: undefined,
});

/** A call that changes nothing, so that it does not matter who makes it. */
export const reading = { ...calledBy("tollgate"), limit: 500, after: undefined };

/** Returns the name of the operating system's user; "unknown" for a user id without one, as in some containers. */
function systemUser(): string {
  try {
    return userInfo().username || "unknown";
  } catch {
    return "unknown";
  }
}
