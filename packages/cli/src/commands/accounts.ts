import {
  camelCase,
  freezeAccount,
  listAccounts,
  pagesOf,
  type ShownAccount,
  spendAnswer,
  thawAccount,
} from "@tollgate/management/operations";
import type { Command } from "commander";
import { type ActorOption, addActorOption, calledBy, example, type Run, reading } from "../command.ts";
import { orFailure } from "../failure.ts";
import { printable } from "../output/printable.ts";
import { renderItems, shortTime, type Table } from "../output/table.ts";
import { allItems } from "../pages.ts";
import { readText } from "../readers.ts";
import { addExport, addForget, noSuchAccount } from "./account-data.ts";
import { describeSpend } from "./spend.ts";

/** Adds `accounts` and its subcommands. */
export function addAccountsCommands(program: Command, run: Run): void {
  const accounts = program
    .command("accounts")
    .description("List, freeze, thaw, export and forget accounts.")
    .addHelpText("after", example("accounts list"));
  addList(accounts, run);
  addChange(accounts, run, "freeze");
  addChange(accounts, run, "thaw");
  addExport(accounts, run);
  addForget(accounts, run);
}

function addList(accounts: Command, run: Run): void {
  accounts
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

const changes = {
  freeze: {
    operation: freezeAccount,
    description: "Freeze an account, so that it pays for nothing until it is thawed. Running calls end as usual.",
    done: "is frozen",
    example: '"chargeback of invoice 17"',
  },
  thaw: {
    operation: thawAccount,
    description: "Thaw an account, so that it can pay again.",
    done: "is not frozen",
    example: '"dispute won"',
  },
} as const;

function addChange(accounts: Command, run: Run, verb: keyof typeof changes): void {
  const { operation, description, done, example: reason } = changes[verb];
  const command = accounts
    .command(verb)
    .description(description)
    .argument("<account>", "the account", readText("The account"))
    .requiredOption("--reason <text>", "the reason, for the audit log", readText("--reason"));
  addActorOption(command)
    .addHelpText("after", example(`accounts ${verb} acme --reason ${reason}`))
    .action((account: string, { actor, ...body }: ActorOption & { readonly reason: string }) =>
      run(async (session) => {
        const call = { ...calledBy(actor), id: account, body };
        const shown = await orFailure({ resource_not_found: noSuchAccount(account) }, () =>
          operation.run(session.context, call),
        );
        await session.show(shapeOf(shown), () => `${printable(account)} ${done}.\n`);
      }),
    );
}

/** An account in the output of --json. What the plans of the gateway decide is not known here. */
const shapeOf = ({ id, plans, frozen, posted, held, available, spend }: ShownAccount) => ({
  account: id,
  plans: plans.length === 0 ? undefined : plans,
  frozen: frozen ?? undefined,
  posted,
  held,
  available,
  spend: spend === null ? undefined : camelCase(spendAnswer.schema)(spend),
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
    ...(accounts.some(({ frozen }) => frozen !== null)
      ? [{ title: "FROZEN SINCE", text: ({ frozen }: ShownAccount) => frozen && shortTime(frozen.at) }]
      : []),
    { title: "SPEND LIMIT", truncates: true, text: ({ spend }) => spend && describeSpend(spend) },
  ],
});
