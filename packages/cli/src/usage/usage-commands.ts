import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { addListRequests } from "./list-requests.ts";
import { addShowRequest } from "./show-request.ts";
import { addShowUsage } from "./show-usage.ts";

/** Adds `usage` and `requests` with their subcommands. */
export function addUsageCommands(program: Command, run: Run): void {
  const usage = program
    .command("usage")
    .description("Sum the usage of a period.")
    .addHelpText("after", example("usage show --by account --from 30d"));
  addShowUsage(usage, run);
  const requests = program
    .command("requests")
    .description("List finished requests, and show one of them.")
    .addHelpText("after", example("requests list --failed"));
  addListRequests(requests, run);
  addShowRequest(requests, run);
}
