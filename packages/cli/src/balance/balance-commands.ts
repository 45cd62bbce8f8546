import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { addPosting } from "./post.ts";
import { addShowBalance } from "./show-balance.ts";

/** Adds `balance` and its subcommands. */
export function addBalanceCommands(program: Command, run: Run): void {
  const balance = program
    .command("balance")
    .description("Show the balance of an account, and credit or debit it.")
    .addHelpText("after", example('balance credit acme 12.50 --reason "invoice 17"'));
  addShowBalance(balance, run);
  addPosting(balance, run, "credit");
  addPosting(balance, run, "debit");
}
