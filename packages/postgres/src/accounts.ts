import { balanceOf, nextOf, readAccountRow, type TextRow } from "@tollgate/core/internal";
import {
  type Account,
  type AccountAdmin,
  type AccountBalance,
  type AccountPage,
  type Allowance,
  type Balance,
  checkedAccount,
  checkedAccountQuery,
  checkedAllowance,
  checkedSpendLimit,
  emptyBalance,
  type NewSpendLimit,
  type SpendLimit,
  type SpendQuery,
  type SpendState,
  spendSubject,
  withGrant,
} from "@tollgate/core/store";
import { windowOf } from "./allowances.ts";
import type { Database } from "./database.ts";
import type { Statement } from "./schema.ts";
import { forgetChargesStatement, lockForgottenStatement } from "./statements/forgetting.ts";
import { lapseStatement } from "./statements/preparing.ts";
import { balanceStatement } from "./statements/reading.ts";
import {
  findAccountStatement,
  limitSpendStatement,
  listAccountsStatement,
  spendStatement,
} from "./statements/spend.ts";

/** Reads the current balance of an account, in which an allowance of the present window counts as granted. */
export async function readBalance(database: Database, account: string, allowance?: Allowance): Promise<AccountBalance> {
  const wanted = allowance && checkedAllowance(allowance);
  const [window, zone] = wanted === undefined ? [] : windowOf(wanted);
  const [row] = await readLapsed(database, balanceStatement, [checkedAccount(account), window, zone]);
  const balance = row === undefined ? unused : toAccountBalance(row);
  const endsAt = row?.optionalTime("grant_ends_at");
  return wanted === undefined || endsAt === undefined ? balance : withGrant(balance, wanted.amount, endsAt.getTime());
}

/** Erases what the host wrote of a batch of charges of an account. */
export async function forgetCharges(database: Database, account: string): Promise<number> {
  return database.transaction(
    async (run) => {
      await run(lockForgottenStatement, [account]);
      // A second statement sees the entries of holds that ended before the lock.
      const [row] = await run(forgetChargesStatement, [account]);
      return Number(row?.text("changed") ?? 0);
    },
    () => true,
  );
}

const unused: AccountBalance = { ...emptyBalance, expiring: [], totals: { credited: 0n, used: 0n } };

function toAccountBalance(row: TextRow): AccountBalance {
  const balance = toBalance(row);
  if (balance === undefined) return unused;
  const expiring: readonly ExpiringJson[] = JSON.parse(row.optionalText("expiring") ?? "[]");
  const frozenAt = row.optionalTime("frozen_at");
  return {
    ...balance,
    expiring: expiring.map(({ amount, at }) => ({ amount: BigInt(amount), expiresAt: new Date(at) })),
    totals: { credited: row.integer("credited"), used: row.integer("used") },
    ...(frozenAt === undefined ? {} : { frozen: { at: frozenAt, reason: row.text("frozen_reason") } }),
  };
}

interface ExpiringJson {
  readonly amount: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Runs a statement that reads accounts until nothing of them is due to expire. It names an account with such an amount as `due`. */
async function readLapsed(database: Database, statement: Statement, values: unknown[]): Promise<readonly TextRow[]> {
  for (;;) {
    const rows = await database.run(statement, values);
    const due = rows.flatMap((row) => row.optionalText("due") ?? []);
    if (due.length === 0) return rows;
    await database.run(lapseStatement, [due]);
  }
}

/** Reads an account. */
export async function findAccount(database: Database, account: string): Promise<Account | undefined> {
  const [row] = await readLapsed(database, findAccountStatement, [checkedAccount(account)]);
  return row && toAccount(row);
}

/** Reads one page of accounts. */
export async function listAccounts(
  database: Database,
  query: Parameters<AccountAdmin["listAccounts"]>[0],
): Promise<AccountPage> {
  const { limit, after = "", prefix = "" } = checkedAccountQuery(query);
  // One row more than the limit shows whether there is another page.
  const rows = await readLapsed(database, listAccountsStatement, [after, prefix, limit + 1]);
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
  const models = limit?.models && JSON.stringify(limit.models);
  const values = [checkedAccount(account), limit && String(limit.limit), limit?.window, limit?.timezone, models];
  await database.run(limitSpendStatement, values);
}

/** Reads what is spent of limits in their present windows. */
export async function readSpend(database: Database, queries: readonly SpendQuery[]): Promise<readonly SpendState[]> {
  const asked = queries.map(({ scope, id, limit }, index) => {
    const checked = checkedSpendLimit(limit);
    const { window, timezone: zone = "UTC" } = checked;
    return { place: index, scope, id: spendSubject({ id, limit: checked }), window, zone };
  });
  const rows = await database.run(spendStatement, [JSON.stringify(asked)]);
  return queries.map(({ limit }, index) => toSpendState(limit, rows[index]));
}

function toSpendState(limit: SpendLimit, row: TextRow | undefined): SpendState {
  const resetsAt = row?.optionalTime("resets_at");
  return { limit, spent: row?.integer("spent") ?? 0n, ...(resetsAt === undefined ? {} : { resetsAt }) };
}

const toAccount = (row: TextRow): Account => readAccountRow(row, toBalance(row) ?? emptyBalance);

/**
 * Reads the balance from the columns `posted` and `held`. Returns undefined when they are null, which means that the
 * account does not exist.
 */
export function toBalance(row: TextRow): Balance | undefined {
  if (row.optionalText("posted") === undefined) return undefined;
  return balanceOf({ posted: row.integer("posted"), held: row.integer("held") });
}
