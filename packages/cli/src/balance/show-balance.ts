import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readText } from "../input/text.ts";
import { renderFields } from "../output/table.ts";
import { toBalanceShape } from "./balance-shape.ts";

/** Adds `balance show`. */
export function addShowBalance(balance: Command, run: Run): void {
  balance
    .command("show")
    .description("Show what an account has posted, held by running requests, and available.")
    .argument("<account>", "the account; one never seen has nothing", readText("The account"))
    .addHelpText("after", example("balance show acme"))
    .action((account: string) =>
      run(async (session) => {
        const shape = { account, ...toBalanceShape(await session.ask(() => session.balances.balance(account))) };
        await session.show(shape, () => renderFields(Object.entries(shape)));
      }),
    );
}
