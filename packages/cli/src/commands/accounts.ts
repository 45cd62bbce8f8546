import { listAccounts, pagesOf, type ShownAccount } from "@tollgate/management/operations";
import type { Command } from "commander";
import { example, type Run, reading } from "../command.ts";
import { renderItems, type Table } from "../output/table.ts";
import { allItems } from "../pages.ts";
import { readText } from "../readers.ts";
import { describeSpend } from "./spend.ts";

/** Adds `accounts` and its subcommand. */
export function addAccountsCommands(program: Command, run: Run): void {
  program
    .command("accounts")
    .description("List accounts.")
    .addHelpText("after", example("accounts list"))
    .command("list")
    .description("List accounts with their plans, balances and spend limits, in the order of their ids.")
    .option("--prefix <text>", "only accounts whose id begins with this text", readText("--prefix"))
    .addHelpText("after", example("accounts list --prefix acme"))
    .action((query: { readonly prefix?: string }) =>
      run(async (session) => {
        const found = await allItems(pagesOf(listAccounts, session.context, { ...reading, query }));
        await session.show({ accounts: found.map(shapeOf) }, (width) => renderItems(found, tableOf(found), width));
      }),
    );
}

/** An account in the output of --json. What the plans of the gateway decide is not known here. */
const shapeOf = ({ id, plans, posted, held, available, spend }: ShownAccount) => ({
  account: id,
  plans: plans.length === 0 ? undefined : plans,
  posted,
  held,
  available,
  spend: spend === null ? undefined : { limit: spend.limit, window: spend.window, timezone: spend.timezone },
});

const tableOf = (accounts: readonly ShownAccount[]): Table<ShownAccount> => ({
  empty: "No accounts were found.",
  columns: [
    { title: "ACCOUNT", truncates: true, text: ({ id }) => id },
    ...(accounts.some(({ plans }) => plans.length > 0)
      ? [{ title: "PLANS", truncates: true, text: ({ plans }: ShownAccount) => plans.join(", ") }]
      : []),
    { title: "AVAILABLE", right: true, text: ({ available }) => available },
    { title: "HELD", right: true, text: ({ held }) => held },
    { title: "SPEND LIMIT", truncates: true, text: ({ spend }) => spend && describeSpend(spend) },
  ],
});
