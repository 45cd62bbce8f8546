import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { addPosting } from "./post.ts";
import { addShowBalance } from "./show-balance.ts";

/** Adds `balance` with its commands. */
export function addBalanceCommands(program: Command, run: Run): void {
  const balance = program
    .command("balance")
    .description("Show balances, and put money on accounts or take it off.")
    .addHelpText("after", example('balance credit acme 12.50 --reason "invoice 17"'));
  addShowBalance(balance, run);
  addPosting(balance, run, "credit");
  addPosting(balance, run, "debit");
}
