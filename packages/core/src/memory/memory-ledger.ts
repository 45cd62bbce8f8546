import { emptyBalance } from "../money/empty-balance.ts";
import type { Balance, Entry, EntryKind, EntryPage } from "../ports/balance-store.ts";
import { AccountLines, type Line } from "./account-lines.ts";

/** One account of a ledger in memory, all amounts nano-units. */
export interface MemoryAccount {
  readonly id: string;
  posted: bigint;
  held: bigint;
  readonly lines: AccountLines;
}

/** The accounts and their lines, of which each account keeps at most `keepEntries`. */
export class MemoryLedger {
  readonly #keepEntries: number;
  readonly #accounts = new Map<string, MemoryAccount>();
  #sequence = 0;

  constructor(keepEntries: number) {
    this.#keepEntries = keepEntries;
  }

  account(id: string): MemoryAccount {
    const known = this.#accounts.get(id);
    if (known !== undefined) return known;
    const account: MemoryAccount = { id, posted: 0n, held: 0n, lines: new AccountLines(this.#keepEntries) };
    this.#accounts.set(id, account);
    return account;
  }

  accounts(): Iterable<MemoryAccount> {
    return this.#accounts.values();
  }

  /** Adds the amount to what is posted, with a line; an amount of zero moves nothing and leaves no line. */
  post(account: MemoryAccount, kind: EntryKind, amount: bigint, reference: string, reason?: string): void {
    if (amount === 0n) return;
    this.#sequence += 1;
    account.lines.push(this.#sequence, { kind, amount, reference, reason });
    account.posted += amount;
  }

  balance(id: string): Balance {
    const account = this.#accounts.get(id);
    return account === undefined ? emptyBalance : balanceOf(account);
  }

  page(id: string, limit: number, after: bigint): EntryPage {
    const lines = this.#accounts.get(id)?.lines;
    if (lines === undefined) return { entries: [] };
    const start = lines.after(Number(after));
    const entries = lines.slice(start, limit).map((line) => toEntry(id, line));
    const last = entries.at(-1);
    return last === undefined || start + limit >= lines.length ? { entries } : { entries, next: last.sequence };
  }
}

/** What the account has now. */
export function balanceOf(account: MemoryAccount): Balance {
  return { posted: account.posted, held: account.held, available: account.posted - account.held };
}

function toEntry(account: string, { sequence, reason, at, ...line }: Line): Entry {
  const entry = { ...line, account, sequence: BigInt(sequence), at: new Date(at) };
  return reason === undefined ? entry : { ...entry, reason };
}
