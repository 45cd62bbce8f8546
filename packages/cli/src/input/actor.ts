import { userInfo } from "node:os";
import type { Command } from "commander";
import { readText } from "./text.ts";

/** The option of every command that changes something. */
export interface ActorOption {
  readonly actor?: string;
}

/** Adds `--actor`. */
export const addActorOption = (command: Command): Command =>
  command.option("--actor <name>", "who makes the change, for the audit log (default: your user)", readText("--actor"));

/** Returns the name of the operating system's user; "unknown" for a user id without one, as in some containers. */
export function systemUser(): string {
  try {
    return userInfo().username || "unknown";
  } catch {
    return "unknown";
  }
}
