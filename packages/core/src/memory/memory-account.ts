import type { Balance, Entry } from "../ports/balance-store.ts";
import type { SpendLimit } from "../ports/spend-limit.ts";

/** One account of a memory balance store. Amounts are in nano-units, entries in order of age, oldest first. */
export interface MemoryAccount {
  readonly id: string;
  posted: bigint;
  /** The sum of its pending holds. */
  held: bigint;
  readonly entries: Entry[];
  spendLimit: SpendLimit | undefined;
}

/** Returns a new account without postings and holds. */
export function newAccount(id: string): MemoryAccount {
  return { id, posted: 0n, held: 0n, entries: [], spendLimit: undefined };
}

/** Returns a copy of the account's balance. */
export function balanceOf({ posted, held }: MemoryAccount): Balance {
  return { posted, held, available: posted - held };
}

/** Adds an entry and posts its amount. The account keeps at most `keepEntries` entries, which must be at least 2. */
export function postTo(account: MemoryAccount, entry: Entry, keepEntries: number): void {
  if (account.entries.length >= keepEntries) bringForward(account);
  account.entries.push(entry);
  account.posted += entry.amount;
}

/** Returns the sum of the entries, in nano-units. */
export function sumOf(entries: readonly Entry[]): bigint {
  return entries.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Replaces the older half of the entries with one entry of their sum. */
function bringForward({ entries }: MemoryAccount): void {
  // At least two, since replacing one entry with one would not shorten the list.
  const older = entries.splice(0, Math.max(2, Math.ceil(entries.length / 2)));
  const last = older.at(-1);
  if (last === undefined) return;
  const amount = sumOf(older);
  const { receipt: _, ...rest } = last;
  entries.unshift({
    ...rest,
    kind: amount < 0n ? "debit" : "credit",
    amount,
    reference: "brought-forward",
    reason: "balance brought forward",
  });
}
