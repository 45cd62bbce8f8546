import { maxExpiring } from "../money/allowance.ts";
import type { Lot } from "../money/lots.ts";
import type { AccountPage } from "../ports/account-admin.ts";
import type {
  Account,
  AccountBalance,
  Balance,
  ExpiringAmount,
  FlexibleAmount,
  Freeze,
  HoldRequest,
} from "../ports/balance-store.ts";
import type { HoldReceipt } from "../ports/receipt.ts";
import type { SpendLimit, SpendQuery } from "../ports/spend-limit.ts";
import { compareBytes } from "../wire/bytes.ts";
import { addTotals, type EntryTotals, type LedgerEntry, noTotals, restsOf, sumOf } from "./memory-entries.ts";
import type { SpendCounter } from "./memory-spend.ts";
import { nextOf } from "./pages.ts";

/** One account of a memory balance store. Amounts are in nano-units, entries in order of age, oldest first. */
export interface MemoryAccount {
  readonly id: string;
  posted: bigint;
  /** The sum of its pending holds. */
  held: bigint;
  readonly entries: LedgerEntry[];
  /** The totals of the older entries for which the first one stands. Undefined: it stands for itself. */
  forwarded: EntryTotals | undefined;
  /** The sum of the entries that are no charges or refunds, from which follows what was used. */
  funded: bigint;
  /** The sum of the credits, less the debits of paid money. */
  credited: bigint;
  /** What is granted or expires, in the order in which it pays. Undefined: nothing is left of any. */
  lots: readonly Lot[] | undefined;
  /** When the windows end whose allowance was granted, by the lot of the grant. */
  grants: ReadonlyMap<string, number> | undefined;
  frozen: Freeze | undefined;
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

  /** Returns false if the account was frozen before. */
  freeze(id: string, reason: string): boolean {
    const account = this.open(id);
    const before = account.frozen;
    account.frozen = { at: before?.at ?? new Date(), reason };
    return before === undefined;
  }

  /** Returns false if the account was not frozen. */
  thaw(id: string): boolean {
    const account = this.#accounts.get(id);
    if (account?.frozen === undefined) return false;
    account.frozen = undefined;
    return true;
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
    const { spendLimit, frozen } = account;
    return {
      id,
      balance: balanceOf(account),
      ...(spendLimit === undefined ? {} : { spendLimit: { ...spendLimit } }),
      ...(frozen === undefined ? {} : { frozen: structuredClone(frozen) }),
    };
  }
}

/** Returns a new account without postings and holds. */
function newAccount(id: string): MemoryAccount {
  return {
    id,
    posted: 0n,
    held: 0n,
    entries: [],
    forwarded: undefined,
    funded: 0n,
    credited: 0n,
    lots: undefined,
    grants: undefined,
    frozen: undefined,
    spendLimit: undefined,
    lowBalance: undefined,
    isLow: false,
  };
}

/** Returns the balance of an account, of which the rest is available. */
export function balanceOf({ posted, held }: Omit<Balance, "available">): Balance {
  return { posted, held, available: posted - held };
}

/** Returns the balance of an account as a reader sees it, which of an unknown one is empty. */
export function accountBalanceOf(account: MemoryAccount | undefined): AccountBalance {
  if (account === undefined) return { ...emptyBalance, expiring: [], totals: { credited: 0n, used: 0n } };
  const { credited, funded, posted, lots = [], frozen } = account;
  return {
    ...balanceOf(account),
    expiring: lots.flatMap(toExpiring).slice(0, maxExpiring),
    totals: { credited, used: funded - posted },
    ...(frozen === undefined ? {} : { frozen: structuredClone(frozen) }),
  };
}

const toExpiring = ({ rest, expiresAt }: Lot): readonly ExpiringAmount[] =>
  expiresAt === undefined ? [] : [{ amount: rest, expiresAt: new Date(expiresAt) }];

/** Replaces the older half of the entries with one entry of their sum, and of what they leave of each lot. */
export function bringForward(account: MemoryAccount): void {
  const { entries } = account;
  // At least two, since replacing one entry with one would not shorten the list.
  const older = entries.splice(0, Math.max(2, Math.ceil(entries.length / 2)));
  const last = older.at(-1);
  if (last === undefined) return;
  const amount = sumOf(older);
  const rests = restsOf(older);
  account.forwarded = addTotals(account.forwarded ?? noTotals, withoutForwarded(account, older));
  entries.unshift({
    sequence: last.sequence,
    kind: amount < 0n ? "debit" : "credit",
    amount,
    reference: "brought-forward",
    at: last.at,
    reason: "balance brought forward",
    hold: undefined,
    charge: undefined,
    lots: rests.size === 0 ? undefined : [...rests.values()],
    keyId: undefined,
    isOfPaid: false,
  });
}

/** Returns the totals of all entries that an account ever had. */
export function totalsOf(account: MemoryAccount): EntryTotals {
  return addTotals(account.forwarded ?? noTotals, withoutForwarded(account, account.entries));
}

/** Returns the first entries of an account without the one that stands for older ones. */
const withoutForwarded = ({ forwarded }: MemoryAccount, entries: readonly LedgerEntry[]): readonly LedgerEntry[] =>
  forwarded === undefined ? entries : entries.slice(1);

/** The balance of an unknown account. */
export const emptyBalance: Balance = Object.freeze({ posted: 0n, held: 0n, available: 0n });

/** A pending or ended hold. Amounts are in nano-units. */
export interface Hold {
  readonly id: string;
  readonly account: MemoryAccount;
  readonly keyId: string | undefined;
  /** What is held, which may be less than the request asked for. */
  readonly held: bigint;
  /** What the request asked for, by which a repeated call is recognized. */
  readonly amount: bigint;
  readonly flexible: FlexibleAmount | undefined;
  receipt: HoldReceipt;
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
