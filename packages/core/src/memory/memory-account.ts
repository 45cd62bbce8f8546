import type { Balance, Entry } from "../ports/balance-store.ts";

/** One account of a balance store in memory; amounts in nano-units, entries oldest first. */
export interface MemoryAccount {
  readonly id: string;
  posted: bigint;
  /** The sum of its pending holds. */
  held: bigint;
  readonly entries: Entry[];
}

/** An account of which nothing is posted or held. */
export function newAccount(id: string): MemoryAccount {
  return { id, posted: 0n, held: 0n, entries: [] };
}

/** The balance of the account, as a copy. */
export function balanceOf({ posted, held }: MemoryAccount): Balance {
  return { posted, held, available: posted - held };
}

/** Posts the amount of an entry and adds the entry; the account then has at most `keepEntries`, at least 2. */
export function postTo(account: MemoryAccount, entry: Entry, keepEntries: number): void {
  if (account.entries.length >= keepEntries) bringForward(account);
  account.entries.push(entry);
  account.posted += entry.amount;
}

/** The sum of the entries, in nano-units. */
export function sumOf(entries: readonly Entry[]): bigint {
  return entries.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Replaces the older half of the entries by one entry of their sum. */
function bringForward({ entries }: MemoryAccount): void {
  // At least two: replacing one entry by one would free no place.
  const older = entries.splice(0, Math.max(2, Math.ceil(entries.length / 2)));
  const last = older.at(-1);
  if (last === undefined) return;
  const amount = sumOf(older);
  entries.unshift({
    ...last,
    kind: amount < 0n ? "debit" : "credit",
    amount,
    reference: "brought-forward",
    reason: "balance brought forward",
  });
}
