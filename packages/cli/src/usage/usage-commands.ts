import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { addListRequests } from "./list-requests.ts";
import { addShowRequest } from "./show-request.ts";
import { addUsageCommand } from "./show-usage.ts";

/** Adds `usage`, and `requests` with its subcommands. */
export function addUsageCommands(program: Command, run: Run): void {
  addUsageCommand(program, run);
  const requests = program
    .command("requests")
    .description("List finished requests, and show one of them.")
    .addHelpText("after", example("requests list --failed"));
  addListRequests(requests, run);
  addShowRequest(requests, run);
}
