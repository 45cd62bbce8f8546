import type { Balance, BalanceStore, Entry, LedgerViolation } from "@tollgate/core/store";
import type { Line } from "./ledger-model.ts";

/** What an account shows from outside. */
export interface AccountBooks {
  readonly account: string;
  readonly balance: Balance;
  readonly entries: readonly Entry[];
}

/** What the ledger shows from outside. */
export interface Books {
  readonly accounts: readonly AccountBooks[];
  readonly violations: readonly LedgerViolation[];
}

/** What accounts show to which nothing has happened. */
export function emptyBooks(accounts: readonly string[]): Books {
  const balance = { posted: 0n, held: 0n, available: 0n };
  return { accounts: accounts.map((account) => ({ account, balance, entries: [] })), violations: [] };
}

/** Reads everything that the accounts show. */
export async function readBooks(store: BalanceStore, accounts: readonly string[]): Promise<Books> {
  const [violations, ...read] = await Promise.all([
    store.verify(),
    ...accounts.map(async (account) => {
      const [balance, page] = await Promise.all([store.balance(account), store.entries({ account, limit: 1_000 })]);
      return { account, balance, entries: page.entries };
    }),
  ]);
  return { accounts: read, violations };
}

/** The lines that were written between two readings, of one account after the other. */
export function linesSince(before: Books, after: Books): Line[] {
  return after.accounts.flatMap(({ entries }, at) => {
    const known = before.accounts[at]?.entries.length ?? 0;
    return inFixedOrder(entries.slice(known).map(withoutPlace));
  });
}

/** Puts lines that one sweep wrote in the order of their references, since their own order says nothing. */
export function inFixedOrder(lines: readonly Line[]): Line[] {
  const ordered: Line[] = [];
  for (const line of lines) {
    const after = ordered.findLastIndex((each) => each.kind !== "expiry" || each.reference < line.reference);
    ordered.splice(line.kind === "expiry" ? after + 1 : ordered.length, 0, line);
  }
  return ordered;
}

/** The entry without what only the store can know. */
export function withoutPlace({ sequence: _, at: __, ...line }: Entry): Line {
  return line;
}
