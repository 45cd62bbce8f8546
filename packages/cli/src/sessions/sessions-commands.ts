import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { addListLogs } from "./list-logs.ts";
import { addListMessages } from "./list-messages.ts";
import { addListSessions } from "./list-sessions.ts";
import { addShowSession } from "./show-session.ts";

/** Adds `sessions` and its subcommands. */
export function addSessionsCommands(program: Command, run: Run): void {
  const sessions = program
    .command("sessions")
    .description("List the sessions of assistants, and show their messages and webhook logs.")
    .addHelpText("after", example("sessions list --account acme"));
  addListSessions(sessions, run);
  addShowSession(sessions, run);
  addListMessages(sessions, run);
  addListLogs(sessions, run);
}
