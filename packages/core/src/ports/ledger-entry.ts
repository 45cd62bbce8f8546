import type { Receipt } from "./receipt.ts";

/** Whether the customer paid for money, or the host gave it. */
export type MoneyKind = "paid" | "granted";

/** The kinds of {@link MoneyKind}. */
export const moneyKinds = ["paid", "granted"] as const satisfies readonly MoneyKind[];

/**
 * The cause of a ledger entry. `charge` ends a hold, `expiry` ends one whose lease expired, `late` settles an expired one,
 * `refund` returns a charge, and `lapse` is money that expired.
 */
export type EntryKind = "credit" | "debit" | "charge" | "expiry" | "late" | "refund" | "lapse";

/** The kinds of {@link EntryKind}. */
export const entryKinds = [
  "credit",
  "debit",
  "charge",
  "expiry",
  "late",
  "refund",
  "lapse",
] as const satisfies readonly EntryKind[];

/** The part of an entry that one lot paid or received. What no lot is named for is paid money that does not expire. */
export interface LotShare {
  /**
   * The id of the credit that made the lot. The store's own are `allowance:month:` and the start of the window, and
   * `refund:` or `late:` and the sequence number of the charge for what came from a lot whose time has passed.
   */
  readonly lot: string;
  readonly kind: MoneyKind;
  /** Nano-units, greater than zero. */
  readonly amount: bigint;
  readonly expiresAt?: Date;
}

/** One entry of the append-only ledger. `amount` is in nano-units, and negative when the account paid. */
export interface Entry {
  /** Position in the ledger, ascending. The cursor of {@link BalanceStore.entries}. */
  readonly sequence: bigint;
  readonly account: string;
  readonly kind: EntryKind;
  readonly amount: bigint;
  /** The hold or the posting that caused it; the lot of a `lapse`, and the sequence number of the charge of a `refund`. */
  readonly reference: string;
  readonly reason?: string;
  /**
   * Explains a `charge`, `expiry` or `late` entry. Absent on other kinds, on entries written before the store had receipts,
   * and on those of holds that were placed before.
   */
  readonly receipt?: Receipt;
  /** The granted and the expiring lots that it took from, added to or made. Absent: none. */
  readonly lots?: readonly LotShare[];
  readonly at: Date;
}

/** The entries of an account to return. */
export interface EntryQuery {
  readonly account: string;
  readonly limit: number;
  /** True: the newest entry is the first. Default: false. */
  readonly newestFirst?: boolean;
  /** The sequence number of the last entry of the page before, in the same order. */
  readonly after?: bigint;
  /** Selects the entries of one hold or posting. */
  readonly reference?: string;
  /** Selects the entries whose receipt has this id of an answer. */
  readonly answerId?: string;
  readonly kind?: EntryKind;
  /** Selects the entries at or after this time. */
  readonly from?: Date;
  /** Selects the entries before this time. */
  readonly to?: Date;
}

/** One page of entries; `next` is absent on the last page. */
export interface EntryPage {
  readonly entries: readonly Entry[];
  readonly next?: bigint;
}
