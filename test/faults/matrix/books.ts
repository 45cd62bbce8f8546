import type { BalanceStore } from "@tollgate/core/store";

/** What each account of a cell has at the start, in nano-units. */
export const opening = 1_000_000_000n;

/** What a ledger says of the accounts of one cell. */
export interface Books {
  /** What they paid in all, in nano-units. */
  readonly charged: bigint;
  /** Accounts of which something is still held. */
  readonly stuck: number;
  /** Holds that were charged by two settlements. */
  readonly double: number;
  /** Accounts whose entries do not sum to what is posted. */
  readonly unsound: number;
  /** Holds whose lease ran out when something had been used, and settlements that came after that. */
  readonly expired: number;
  readonly late: number;
}

/** Reads the books of accounts that began with what is theirs at the start. */
export async function readBooks(balances: BalanceStore, accounts: readonly string[]): Promise<Books> {
  const all = await Promise.all(accounts.map((account) => readAccount(balances, account)));
  const count = (member: Exclude<keyof Books, "charged">) => all.reduce((sum, books) => sum + books[member], 0);
  return {
    charged: all.reduce((sum, { charged }) => sum + charged, 0n),
    stuck: count("stuck"),
    double: count("double"),
    unsound: count("unsound"),
    expired: count("expired"),
    late: count("late"),
  };
}

async function readAccount(balances: BalanceStore, account: string): Promise<Books> {
  const { posted, held } = await balances.balance(account);
  const { entries } = await balances.entries({ account, limit: 1_000 });
  const settled = entries.filter(({ kind }) => kind === "charge" || kind === "late").map(({ reference }) => reference);
  return {
    charged: opening - posted,
    stuck: held === 0n ? 0 : 1,
    double: settled.length - new Set(settled).size,
    unsound: entries.reduce((sum, { amount }) => sum + amount, 0n) === posted ? 0 : 1,
    expired: entries.filter(({ kind }) => kind === "expiry").length,
    late: entries.filter(({ kind }) => kind === "late").length,
  };
}
