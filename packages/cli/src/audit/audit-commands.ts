import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { addListAudit } from "./list-audit.ts";

/** Adds `audit` and its subcommand. */
export function addAuditCommands(program: Command, run: Run): void {
  const audit = program
    .command("audit")
    .description("List the changes that operators made.")
    .addHelpText("after", example("audit list --actor ann"));
  addListAudit(audit, run);
}
