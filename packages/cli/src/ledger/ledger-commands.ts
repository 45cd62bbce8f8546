import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { addExportEntries } from "./export-entries.ts";
import { addListEntries } from "./list-entries.ts";
import { addVerifyLedger } from "./verify-ledger.ts";

/** Adds `ledger` and its subcommands. */
export function addLedgerCommands(program: Command, run: Run): void {
  const ledger = program
    .command("ledger")
    .description("Show, export and verify the entries of the ledger.")
    .addHelpText("after", example("ledger export --account acme > acme.csv"));
  addListEntries(ledger, run);
  addExportEntries(ledger, run);
  addVerifyLedger(ledger, run);
}
