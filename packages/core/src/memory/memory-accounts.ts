import type { Account, AccountPage } from "../ports/account-admin.ts";
import type { Balance } from "../ports/balance-store.ts";
import type { SpendLimit } from "../ports/spend-limit.ts";
import { compareBytes } from "../wire/bytes.ts";
import type { LedgerEntry } from "./memory-entries.ts";

/** One account of a memory balance store. Amounts are in nano-units, entries in order of age, oldest first. */
export interface MemoryAccount {
  readonly id: string;
  posted: bigint;
  /** The sum of its pending holds. */
  held: bigint;
  readonly entries: LedgerEntry[];
  spendLimit: SpendLimit | undefined;
  /** The amount below which the last hold wants a notice of a low balance. */
  lowBalance: bigint | undefined;
  /** True from a notice of a low balance until what is posted is at the amount again. */
  isLow: boolean;
}

/** The accounts of a memory balance store by id. */
export class MemoryAccounts {
  readonly #accounts = new Map<string, MemoryAccount>();

  get(id: string): MemoryAccount | undefined {
    return this.#accounts.get(id);
  }

  all(): Iterable<MemoryAccount> {
    return this.#accounts.values();
  }

  /** Returns the account, and creates it first if needed. */
  open(id: string): MemoryAccount {
    const known = this.#accounts.get(id);
    if (known !== undefined) return known;
    const account = newAccount(id);
    this.#accounts.set(id, account);
    return account;
  }

  limitSpend(id: string, limit: SpendLimit | undefined): void {
    this.open(id).spendLimit = limit && { ...limit };
  }

  page({
    limit,
    after,
    prefix = "",
  }: {
    readonly limit: number;
    readonly after?: string;
    readonly prefix?: string;
  }): AccountPage {
    const ids = [...this.#accounts.keys()].filter((id) => id.startsWith(prefix)).sort(compareBytes);
    const rest = after === undefined ? ids : ids.filter((id) => compareBytes(id, after) > 0);
    const accounts = rest.slice(0, limit).flatMap((id) => this.find(id) ?? []);
    const last = accounts.at(-1);
    return last === undefined || rest.length <= limit ? { accounts } : { accounts, next: last.id };
  }

  find(id: string): Account | undefined {
    const account = this.#accounts.get(id);
    if (account === undefined) return undefined;
    const { spendLimit } = account;
    return { id, balance: balanceOf(account), ...(spendLimit === undefined ? {} : { spendLimit: { ...spendLimit } }) };
  }
}

/** Returns a new account without postings and holds. */
function newAccount(id: string): MemoryAccount {
  return { id, posted: 0n, held: 0n, entries: [], spendLimit: undefined, lowBalance: undefined, isLow: false };
}

/** Returns a copy of the account's balance. */
export function balanceOf({ posted, held }: MemoryAccount): Balance {
  return { posted, held, available: posted - held };
}

/** Adds an entry and posts its amount. The account keeps at most `keepEntries` entries, which must be at least 2. */
export function postTo(account: MemoryAccount, entry: LedgerEntry, keepEntries: number): void {
  if (account.entries.length >= keepEntries) bringForward(account);
  account.entries.push(entry);
  account.posted += entry.amount;
}

/** Returns the sum of the entries, in nano-units. */
export function sumOf(entries: readonly LedgerEntry[]): bigint {
  return entries.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Replaces the older half of the entries with one entry of their sum. */
function bringForward({ entries }: MemoryAccount): void {
  // At least two, since replacing one entry with one would not shorten the list.
  const older = entries.splice(0, Math.max(2, Math.ceil(entries.length / 2)));
  const last = older.at(-1);
  if (last === undefined) return;
  const amount = sumOf(older);
  entries.unshift({
    sequence: last.sequence,
    kind: amount < 0n ? "debit" : "credit",
    amount,
    reference: "brought-forward",
    at: last.at,
    reason: "balance brought forward",
    hold: undefined,
    charge: undefined,
  });
}
