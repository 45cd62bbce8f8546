import type { Account, AccountPage, SpendQuery } from "../ports/account-admin.ts";
import type { Balance, FlexibleAmount, HoldRequest, LedgerViolation } from "../ports/balance-store.ts";
import type { HoldReceipt } from "../ports/receipt.ts";
import type { SpendLimit } from "../ports/spend-limit.ts";
import { compareBytes } from "../wire/bytes.ts";
import type { LedgerEntry } from "./memory-entries.ts";
import type { SpendCounter } from "./memory-spend.ts";
import { nextOf } from "./pages.ts";

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
    return { accounts, ...nextOf(accounts, rest.length, ({ id }) => id) };
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

/** Returns the balance of an account, of which the rest is available. */
export function balanceOf({ posted, held }: Omit<Balance, "available">): Balance {
  return { posted, held, available: posted - held };
}

/** Adds an entry and posts its amount. The account keeps at most `keepEntries` entries, which must be at least 2. */
export function postTo(account: MemoryAccount, entry: LedgerEntry, keepEntries: number): void {
  if (account.entries.length >= keepEntries) bringForward(account);
  account.entries.push(entry);
  account.posted += entry.amount;
}

/** Returns the sum of the entries, in nano-units. */
function sumOf(entries: readonly LedgerEntry[]): bigint {
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

/** The balance of an unknown account. */
export const emptyBalance: Balance = Object.freeze({ posted: 0n, held: 0n, available: 0n });

/** Checks that what is posted is the sum of the entries, and that what is held is the sum of the pending holds. */
export function verifyMemoryLedger(
  accounts: Iterable<MemoryAccount>,
  pending: Iterable<{ readonly account: MemoryAccount; readonly held: bigint }>,
): readonly LedgerViolation[] {
  const held = new Map<MemoryAccount, bigint>();
  for (const hold of pending) held.set(hold.account, (held.get(hold.account) ?? 0n) + hold.held);
  return [...accounts].flatMap((account) => [
    ...difference(account.id, "posted", account.posted, sumOf(account.entries)),
    ...difference(account.id, "held", account.held, held.get(account) ?? 0n),
  ]);
}

function difference(account: string, what: "posted" | "held", stated: bigint, found: bigint): LedgerViolation[] {
  return stated === found ? [] : [sumViolation(account, what, stated, found)];
}

/** Returns the violation of an account whose stated amount is not the sum of its entries or pending holds. Amounts are in nano-units. */
export function sumViolation(account: string, what: "posted" | "held", stated: bigint, found: bigint): LedgerViolation {
  const source = what === "posted" ? "entries" : "pending holds";
  return { account, problem: `Account ${account} has ${stated} ${what}, but its ${source} sum to ${found}.` };
}

/** A pending or ended hold. Amounts are in nano-units. */
export interface Hold {
  readonly id: string;
  readonly account: MemoryAccount;
  readonly keyId: string;
  /** What is held, which may be less than the request asked for. */
  readonly held: bigint;
  /** What the request asked for, by which a repeated call is recognized. */
  readonly amount: bigint;
  readonly flexible: FlexibleAmount | undefined;
  readonly receipt: HoldReceipt;
  /** Milliseconds since the Unix epoch. */
  expiresAt: number;
  used: bigint;
  state: "pending" | "settled" | "released" | "expired";
  /** The amount that its end has posted. */
  charged: bigint;
  /** The windows that its cost belongs to. */
  readonly counters: readonly SpendCounter[];
  readonly limits: readonly SpendQuery[];
  readonly rules: HoldRequest["notices"];
}
