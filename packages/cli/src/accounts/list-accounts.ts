import { type ListedAccount, listAccounts } from "@tollgate/management/internal";
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
    .description("List accounts with their plans, balances and spend limits, in the order of their ids.")
    .option("--prefix <text>", "only accounts whose id begins with this text", readText("--prefix"))
    .addHelpText("after", example("accounts list --prefix acme"))
    .action(({ prefix }: { readonly prefix?: string }) =>
      run(async (session) => {
        const found = await findAccounts(session, prefix);
        await session.show({ accounts: found.map(toShape) }, (width) => render(found, width));
      }),
    );
}

async function findAccounts(session: Session, prefix: string | undefined): Promise<readonly ListedAccount[]> {
  const query = { limit: pageSize, ...(prefix === undefined ? {} : { prefix }) };
  const found: ListedAccount[] = [];
  const { accounts, accountRecords } = session;
  const read = (after: string | undefined) =>
    listAccounts(
      session.administrator(),
      accountRecords ?? { accounts },
      after === undefined ? query : { ...query, after },
    );
  for await (const page of pages(read)) found.push(...page.accounts);
  return found;
}

const toShape = ({ id, balance, spendLimit, plans }: ListedAccount) => ({
  account: id,
  ...(plans.length === 0 ? {} : { plans }),
  ...toBalanceShape(balance),
  spend: spendLimit && toSpendShape(spendLimit),
});

function render(accounts: readonly ListedAccount[], width: number | undefined): string {
  if (accounts.length === 0) return "No accounts were found.\n";
  const hasPlans = accounts.some(({ plans }) => plans.length > 0);
  const columns = [
    { title: "ACCOUNT", truncates: true },
    ...(hasPlans ? [{ title: "PLANS", truncates: true }] : []),
    { title: "AVAILABLE", right: true },
    { title: "HELD", right: true },
    { title: "SPEND LIMIT", truncates: true },
  ];
  const cells = accounts.map(({ id, balance, spendLimit, plans }) => {
    const { available, held } = toBalanceShape(balance);
    const limit = spendLimit === undefined ? "" : describeSpend(spendLimit);
    return [id, ...(hasPlans ? [plans.join(", ")] : []), available, held, limit];
  });
  return renderTable(columns, cells, width);
}
