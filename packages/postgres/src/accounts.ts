import { balanceOf, nextOf, readAccountRow } from "@tollgate/core/internal";
import {
  type Account,
  type AccountAdmin,
  type AccountPage,
  type Balance,
  checkedAccount,
  checkedAccountQuery,
  checkedSpendLimit,
  emptyBalance,
  type NewSpendLimit,
  type SpendLimit,
  type SpendQuery,
  type SpendState,
} from "@tollgate/core/store";
import type { Database } from "./database.ts";
import type { Row } from "./row.ts";
import {
  findAccountStatement,
  limitSpendStatement,
  listAccountsStatement,
  spendStatement,
} from "./statements/spend.ts";

/** Reads an account. */
export async function findAccount(database: Database, account: string): Promise<Account | undefined> {
  const [row] = await database.run(findAccountStatement, [checkedAccount(account)]);
  return row && toAccount(row);
}

/** Reads one page of accounts. */
export async function listAccounts(
  database: Database,
  query: Parameters<AccountAdmin["listAccounts"]>[0],
): Promise<AccountPage> {
  const { limit, after = "", prefix = "" } = checkedAccountQuery(query);
  // One row more than the limit shows whether there is another page.
  const rows = await database.run(listAccountsStatement, [after, prefix, limit + 1]);
  const accounts = rows.slice(0, limit).map(toAccount);
  return { accounts, ...nextOf(accounts, rows.length, ({ id }) => id) };
}

/** Sets the spend limit of an account. */
export async function limitSpend(
  database: Database,
  account: string,
  newLimit: NewSpendLimit | undefined,
): Promise<void> {
  const limit = newLimit && checkedSpendLimit(newLimit);
  const values = [checkedAccount(account), limit && String(limit.limit), limit?.window, limit?.timezone];
  await database.run(limitSpendStatement, values);
}

/** Reads what is spent of limits in their present windows. */
export async function readSpend(database: Database, queries: readonly SpendQuery[]): Promise<readonly SpendState[]> {
  const asked = queries.map(({ scope, id, limit }, index) => {
    const { window, timezone: zone = "UTC" } = checkedSpendLimit(limit);
    return { place: index, scope, id, window, zone };
  });
  const rows = await database.run(spendStatement, [JSON.stringify(asked)]);
  return queries.map(({ limit }, index) => toSpendState(limit, rows[index]));
}

function toSpendState(limit: SpendLimit, row: Row | undefined): SpendState {
  const resetsAt = row?.optionalTime("resets_at");
  return { limit, spent: row?.integer("spent") ?? 0n, ...(resetsAt === undefined ? {} : { resetsAt }) };
}

const toAccount = (row: Row): Account => readAccountRow(row, toBalance(row) ?? emptyBalance);

/**
 * Reads the balance from the columns `posted` and `held`. Returns undefined when they are null, which means that the
 * account does not exist.
 */
export function toBalance(row: Row): Balance | undefined {
  if (row.optionalText("posted") === undefined) return undefined;
  return balanceOf({ posted: row.integer("posted"), held: row.integer("held") });
}
