import type {
  Account,
  AccountAdmin,
  AccountPage,
  NewSpendLimit,
  SpendLimit,
  SpendQuery,
  SpendState,
} from "@tollgate/core/store";
import { checkedAccount, checkedAccountQuery, checkedSpendLimit, emptyBalance } from "@tollgate/core/store";
import { toBalance } from "./balance-row.ts";
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
  const last = accounts.at(-1);
  return rows.length > limit && last !== undefined ? { accounts, next: last.id } : { accounts };
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
  const resetsAt = row?.optionalDate("resets_at");
  return { limit, spent: row?.integer("spent") ?? 0n, ...(resetsAt === undefined ? {} : { resetsAt }) };
}

function toAccount(row: Row): Account {
  const account = { id: row.text("id"), balance: toBalance(row) ?? emptyBalance };
  if (row.optionalText("spend_limit") === undefined) return account;
  const window = row.oneOf("spend_window", ["day", "week", "month", "total"]);
  const timezone = row.optionalText("spend_timezone");
  const limit = { limit: row.integer("spend_limit"), window };
  return { ...account, spendLimit: timezone === undefined ? limit : { ...limit, timezone } };
}
