import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { addListAccounts } from "./list-accounts.ts";
import { addSpendCommands } from "./spend-commands.ts";

/** Adds `accounts` and `spend` with their subcommands. */
export function addAccountCommands(program: Command, run: Run): void {
  const accounts = program
    .command("accounts")
    .description("List accounts.")
    .addHelpText("after", example("accounts list"));
  addListAccounts(accounts, run);
  addSpendCommands(program, run);
}
