import { emptyBalance } from "../money/empty-balance.ts";
import type { Balance, Entry, EntryKind, EntryPage } from "../ports/balance-store.ts";

/** One account of a ledger in memory, all amounts nano-units. */
export interface MemoryAccount {
  readonly id: string;
  posted: bigint;
  held: bigint;
  readonly lines: Line[];
}

/** A hold as the store in memory keeps it. `charged` is what has been posted for it so far. */
export interface MemoryHold {
  readonly account: MemoryAccount;
  readonly keyId: string;
  readonly amount: bigint;
  used: bigint;
  charged: bigint;
  expiresAt: number;
  state: "pending" | "settled" | "released" | "expired";
}

interface Line {
  readonly sequence: number;
  readonly kind: EntryKind;
  readonly amount: bigint;
  readonly reference: string;
  readonly reason?: string;
  readonly at: number;
}

/**
 * The accounts and their lines. An account keeps at most `keepEntries` lines; when it is full, the older half
 * becomes one line, "balance brought forward", so that its lines still sum to what is posted.
 */
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
    const account: MemoryAccount = { id, posted: 0n, held: 0n, lines: [] };
    this.#accounts.set(id, account);
    return account;
  }

  accounts(): Iterable<MemoryAccount> {
    return this.#accounts.values();
  }

  /** Adds the amount to what is posted, with a line; an amount of zero moves nothing and leaves no line. */
  post(account: MemoryAccount, kind: EntryKind, amount: bigint, reference: string, reason?: string): void {
    if (amount === 0n) return;
    if (account.lines.length >= this.#keepEntries) bringForward(account);
    this.#sequence += 1;
    const line = { sequence: this.#sequence, kind, amount, reference, at: Date.now() };
    account.lines.push(reason === undefined ? line : { ...line, reason });
    account.posted += amount;
  }

  balance(id: string): Balance {
    const account = this.#accounts.get(id);
    return account === undefined ? emptyBalance : balanceOf(account);
  }

  page(id: string, limit: number, after: bigint): EntryPage {
    const lines = this.#accounts.get(id)?.lines ?? [];
    const found = lines.findIndex((line) => BigInt(line.sequence) > after);
    const start = found === -1 ? lines.length : found;
    const entries = lines.slice(start, start + limit).map((line) => toEntry(id, line));
    const last = entries.at(-1);
    return last === undefined || start + limit >= lines.length ? { entries } : { entries, next: last.sequence };
  }
}

/** What the account has now. */
export function balanceOf(account: MemoryAccount): Balance {
  return { posted: account.posted, held: account.held, available: account.posted - account.held };
}

function toEntry(account: string, line: Line): Entry {
  return { ...line, account, sequence: BigInt(line.sequence), at: new Date(line.at) };
}

function bringForward(account: MemoryAccount): void {
  // One line in the place of one would make no room.
  const old = account.lines.splice(0, Math.max(2, Math.ceil(account.lines.length / 2)));
  const last = old.at(-1);
  if (last === undefined) return;
  const amount = old.reduce((sum, line) => sum + line.amount, 0n);
  account.lines.unshift({
    sequence: last.sequence,
    kind: amount < 0n ? "debit" : "credit",
    amount,
    reference: "brought-forward",
    reason: "balance brought forward",
    at: last.at,
  });
}
