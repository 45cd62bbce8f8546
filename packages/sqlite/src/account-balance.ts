import { type AccountBalance, type Allowance, emptyBalance, maxExpiring, withGrant } from "@tollgate/core/store";
import type { AccountRow } from "./accounts.ts";
import { dueAllowance } from "./allowances.ts";
import type { Ledger } from "./ledger.ts";

/** Returns the balance of an account by its row, with an allowance of the present window. */
export function accountBalance(
  ledger: Ledger,
  account: string,
  row: AccountRow | undefined,
  allowance: Allowance | undefined,
): AccountBalance {
  const { balance, frozen } = row?.account ?? { balance: emptyBalance };
  const known: AccountBalance = {
    ...balance,
    expiring: row?.nextLapse === undefined ? [] : expiringOf(ledger, account),
    totals: ledger.accounts.totals(account),
    ...(frozen === undefined ? {} : { frozen }),
  };
  const due = dueAllowance(ledger, account, row, allowance);
  return due === undefined ? known : withGrant(known, due.amount, due.expiresAt);
}

const expiringOf = ({ lots }: Ledger, account: string): AccountBalance["expiring"] =>
  lots
    .open(account)
    .flatMap(({ rest, expiresAt }) => (expiresAt === undefined ? [] : [{ amount: rest, expiresAt }]))
    .slice(0, maxExpiring);
