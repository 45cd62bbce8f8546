import type { Balance, BalanceStore, Entry, LedgerViolation } from "@tollgate/core/store";
import type { Line } from "./ledger-model.ts";

/** The visible state of an account. */
export interface AccountBooks {
  readonly account: string;
  readonly balance: Balance;
  readonly entries: readonly Entry[];
}

/** The visible state of the ledger. */
export interface Books {
  readonly accounts: readonly AccountBooks[];
  readonly violations: readonly LedgerViolation[];
}

/** The state of new accounts. */
export function emptyBooks(accounts: readonly string[]): Books {
  const balance = { posted: 0n, held: 0n, available: 0n };
  return { accounts: accounts.map((account) => ({ account, balance, entries: [] })), violations: [] };
}

/** Reads the visible state of the accounts. */
export async function readBooks(store: BalanceStore, accounts: readonly string[]): Promise<Books> {
  const [violations, ...read] = await Promise.all([
    store.verify(),
    ...accounts.map(async (account) => {
      const [read, page] = await Promise.all([store.balance(account), store.entries({ account, limit: 1_000 })]);
      const { posted, held, available } = read;
      return { account, balance: { posted, held, available }, entries: page.entries };
    }),
  ]);
  return { accounts: read, violations };
}

/** Returns the lines that were written between two reads, grouped by account. */
export function linesSince(before: Books, after: Books): Line[] {
  return after.accounts.flatMap(({ entries }, at) => {
    const known = before.accounts[at]?.entries.length ?? 0;
    return inFixedOrder(entries.slice(known).map(withoutPlace));
  });
}

/** Sorts the lines of one sweep by reference, since their order is not defined. */
export function inFixedOrder(lines: readonly Line[]): Line[] {
  const ordered: Line[] = [];
  for (const line of lines) {
    const after = ordered.findLastIndex((each) => each.kind !== "expiry" || each.reference < line.reference);
    ordered.splice(line.kind === "expiry" ? after + 1 : ordered.length, 0, line);
  }
  return ordered;
}

/** Removes the sequence and time of an entry, which the store chooses. */
function withoutPlace({ sequence: _, at: __, ...line }: Entry): Line {
  return line;
}
