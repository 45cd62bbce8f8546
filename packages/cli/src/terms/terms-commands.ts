import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { addAcceptTerms } from "./accept-terms.ts";
import { addListAcceptances } from "./list-acceptances.ts";

/** Adds `terms` and its subcommands. */
export function addTermsCommands(program: Command, run: Run): void {
  const terms = program
    .command("terms")
    .description("List who has accepted the terms, and record an acceptance.")
    .addHelpText("after", example("terms list --account acme"));
  addListAcceptances(terms, run);
  addAcceptTerms(terms, run);
}
