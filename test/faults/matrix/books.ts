import type { BalanceStore } from "@tollgate/core/store";

/** The initial balance of each account of a cell, in nano-units. */
export const opening = 1_000_000_000n;

/** The state of the ledger for the accounts of one cell. */
export interface Books {
  /** The total charges, in nano-units. */
  readonly charged: bigint;
  /** Accounts with a held amount. */
  readonly stuck: number;
  /** Holds that were charged by two settlements. */
  readonly double: number;
  /** Accounts whose entries do not sum to the posted balance. */
  readonly unsound: number;
  /** Holds that expired with a use, and settlements after an expiry. */
  readonly expired: number;
  readonly late: number;
}

/** Reads the state of accounts that began with the initial balance. */
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
