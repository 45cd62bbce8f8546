import type { Account } from "@tollgate/core/store";
import type { Command } from "commander";
import { toBalanceShape } from "../balance/balance-shape.ts";
import { example, type Run } from "../command.ts";
import { readText } from "../input/text.ts";
import { renderTable } from "../output/table.ts";
import { pages } from "../pages.ts";
import type { Session } from "../session.ts";
import { describeSpend, toSpendShape } from "./spend-shape.ts";

const pageSize = 500;

/** Adds `accounts list`. */
export function addListAccounts(accounts: Command, run: Run): void {
  accounts
    .command("list")
    .description("List accounts with their balances and spend limits, in the order of their ids.")
    .option("--prefix <text>", "only accounts whose id begins with this text", readText("--prefix"))
    .addHelpText("after", example("accounts list --prefix acme"))
    .action(({ prefix }: { readonly prefix?: string }) =>
      run(async (session) => {
        const found = await findAccounts(session, prefix);
        await session.show({ accounts: found.map(toShape) }, (width) => render(found, width));
      }),
    );
}

async function findAccounts(session: Session, prefix: string | undefined): Promise<readonly Account[]> {
  const query = { limit: pageSize, ...(prefix === undefined ? {} : { prefix }) };
  const found: Account[] = [];
  const read = (after: string | undefined) =>
    session.call(() => session.accounts.listAccounts(after === undefined ? query : { ...query, after }));
  for await (const { accounts } of pages(read)) found.push(...accounts);
  return found;
}

const toShape = ({ id, balance, spendLimit }: Account) => ({
  account: id,
  ...toBalanceShape(balance),
  spend: spendLimit && toSpendShape(spendLimit),
});

function render(accounts: readonly Account[], width: number | undefined): string {
  if (accounts.length === 0) return "No accounts were found.\n";
  const columns = [
    { title: "ACCOUNT", truncates: true },
    { title: "AVAILABLE", right: true },
    { title: "HELD", right: true },
    { title: "SPEND LIMIT", truncates: true },
  ];
  const cells = accounts.map(({ id, balance, spendLimit }) => {
    const { available, held } = toBalanceShape(balance);
    return [id, available, held, spendLimit === undefined ? "" : describeSpend(spendLimit)];
  });
  return renderTable(columns, cells, width);
}
