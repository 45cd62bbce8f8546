import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readText } from "../input/text.ts";
import { renderFields } from "../output/table.ts";
import { toBalanceShape } from "./balance-shape.ts";

/** Adds `balance show`. */
export function addShowBalance(balance: Command, run: Run): void {
  balance
    .command("show")
    .description("Show the amounts of an account: posted, held by running requests, and available.")
    .argument("<account>", "the account; an unknown account has a balance of 0", readText("The account"))
    .addHelpText("after", example("balance show acme"))
    .action((account: string) =>
      run(async (session) => {
        const shape = { account, ...toBalanceShape(await session.call(() => session.balances.balance(account))) };
        await session.show(shape, () => renderFields(Object.entries(shape)));
      }),
    );
}
