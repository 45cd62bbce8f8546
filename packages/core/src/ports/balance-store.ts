import type { Awaitable } from "../runtime/awaitable.ts";
import type { ChargeReceipt, HoldReceipt, Receipt } from "./receipt.ts";
import type { HoldSpend, NoticeRules, SpendLimit, SpendScope } from "./spend-limit.ts";

/** The balance of an account, in nano-units (10^-9 of the host's currency). `available` is `posted` minus `held`, and may be negative. */
export interface Balance {
  readonly posted: bigint;
  readonly held: bigint;
  readonly available: bigint;
}

/**
 * A hold to place. A repeated call with the same id, account, key and amounts has no further effect, and returns what the
 * first one held; lease, terms, receipt, spend limits and notices may differ. For the id of a hold that has ended, the store
 * returns `held` and holds nothing.
 */
export interface HoldRequest {
  /** A UUID that the gateway created for this request, never one that a client chose. */
  readonly id: string;
  readonly account: string;
  readonly keyId: string;
  /** Nano-units, not negative. The most that the store holds, and all or nothing without `flexible`. */
  readonly amount: bigint;
  /** Present: the store may hold less than `amount`. */
  readonly flexible?: FlexibleAmount | undefined;
  /** How long the hold lasts without renewal, in milliseconds. */
  readonly leaseMs: number;
  /** Versions of the terms of which the account must have accepted one. Empty: none is required. */
  readonly terms: readonly string[];
  /** Stored with the hold, and copied to the entries that its end adds. */
  readonly receipt: HoldReceipt;
  /** The spend limits besides that of the account in the store, which overrides `account`. */
  readonly spend: HoldSpend;
  /** When to write notices to the outbox. Undefined: never. */
  readonly notices: NoticeRules | undefined;
}

/**
 * How much less than its amount a hold may take, in nano-units. The store holds `floor`, or a quarter of what the balance and
 * each spend limit leave if that is more; at most the amount. If they leave less than that, it holds all that they leave, and
 * refuses below `least`. So one request never takes what others need at the same time.
 */
export interface FlexibleAmount {
  /** At most `floor`. */
  readonly least: bigint;
  /** At most the amount. */
  readonly floor: bigint;
}

/**
 * The result of placing a hold. `amount` is what is held: that of the request, or less if it is flexible. Only a store that
 * shares a database with the keys and the terms checks them in the same step and returns `key_refused` and `terms_refused`.
 * `conflict`: the id exists with a different account, key or amount.
 * `spend_limit`: the charges and pending holds of the limit's present window, which are `spent`, and the least amount exceed
 * it. The balance is checked first, then the limit of the account, then that of the key.
 */
export type HoldResult =
  | { readonly outcome: "held"; readonly balance: Balance; readonly amount: bigint }
  | { readonly outcome: "insufficient"; readonly balance: Balance }
  | SpendRefusal
  | { readonly outcome: "key_refused" | "terms_refused" | "conflict" };

/** A hold that exceeds a spend limit. */
export interface SpendRefusal {
  readonly outcome: "spend_limit";
  readonly scope: SpendScope;
  readonly limit: SpendLimit;
  /** Nano-units. */
  readonly spent: bigint;
  /** The start of the next window. Absent for the window "total". */
  readonly resetsAt?: Date;
}

/** The cost of a pending hold so far, in nano-units. It never decreases. */
export interface Renewal {
  readonly id: string;
  readonly used: bigint;
}

/**
 * The result of ending a hold. `repeated`: it had already ended in the same way with the same amount. `late`: it had
 * expired, and the difference to the amount of the expiry was posted. `conflict`: it had ended in another way, and nothing
 * was changed. `unknown`: there is no such hold.
 */
export type EndResult = {
  readonly outcome: "ended" | "repeated" | "late" | "conflict" | "unknown";
};

/**
 * A credit or debit of an account by the host. A repeated call with the same id and content has no further effect. Credits
 * and debits share one id space.
 */
export interface Posting {
  readonly id: string;
  readonly account: string;
  /** Greater than zero: nano-units, or a decimal string such as "5.00". */
  readonly amount: bigint | string;
  /** The reason, for readers of the ledger: "top-up", "refund", "correction of invoice 17". */
  readonly reason: string;
}

/** The result of a posting. `conflict`: the id exists with other content, and nothing was changed. */
export type PostingResult =
  | { readonly outcome: "posted" | "repeated"; readonly balance: Balance }
  | { readonly outcome: "conflict" };

/** The cause of a ledger entry. `charge` ends a hold, `expiry` ends one whose lease expired, `late` settles an expired one. */
export type EntryKind = "credit" | "debit" | "charge" | "expiry" | "late";

/** The kinds of {@link EntryKind}. */
export const entryKinds = ["credit", "debit", "charge", "expiry", "late"] as const satisfies readonly EntryKind[];

/** One entry of the append-only ledger. `amount` is in nano-units, and negative when the account paid. */
export interface Entry {
  /** Position in the ledger, ascending. The cursor of {@link BalanceStore.entries}. */
  readonly sequence: bigint;
  readonly account: string;
  readonly kind: EntryKind;
  readonly amount: bigint;
  /** The hold or the posting that caused it. */
  readonly reference: string;
  readonly reason?: string;
  /**
   * Explains a `charge`, `expiry` or `late` entry. Absent on other kinds, on entries written before the store had receipts,
   * and on those of holds that were placed before.
   */
  readonly receipt?: Receipt;
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

/** An inconsistency of the ledger. `problem` is one sentence that names the account or hold. */
export interface LedgerViolation {
  readonly account: string;
  readonly problem: string;
}

/**
 * Port: the ledger of prepaid balances. All amounts are bigint nano-units.
 *
 * Each method is one atomic step, safe to repeat with the same arguments, and durable when it resolves. A refusal is a
 * value. A throw is an outage, after which it is unknown whether the step took effect: the gateway answers 503 for a hold,
 * and repeats a settlement or release. An account that was never used has a balance of zero. A returned balance is that
 * after the step; a store that batches calls may return the balance after the batch to each.
 *
 * An amount that is a number or negative, a posting of zero, a missing id, and a member that is not known throw a RangeError,
 * as a bug of the caller. A change of zero adds no entry.
 */
export interface BalanceStore {
  /**
   * Places a hold if posted minus held is at least the amount at that instant, and the amount is within the spend limits, for
   * any number of concurrent processes. The amount of a flexible hold is determined in the same step. The cost of a hold
   * belongs to the windows in which it was placed, also if it ends later.
   */
  hold(request: HoldRequest): Awaitable<HoldResult>;
  /**
   * Extends the leases of the named holds that are pending to `leaseMs` from now, and stores the greater `used`. Returns
   * the ids that were renewed. It may skip a hold that another call is changing; the next renewal includes it. A hold
   * whose lease has expired stays pending until `expire` ends it.
   */
  renew(renewals: readonly Renewal[], leaseMs: number): Awaitable<readonly string[]>;
  /**
   * Ends a hold and posts the real cost, which may exceed the hold, with its receipt. An expired hold can be settled once,
   * late, with a receipt of its own. A repeated call with another receipt keeps the first.
   */
  settle(id: string, amount: bigint, receipt: ChargeReceipt): Awaitable<EndResult>;
  /** Ends a hold that cost nothing. An expired hold cannot be released. */
  release(id: string): Awaitable<EndResult>;
  /** Ends pending holds whose lease has expired, charges each its last `used`, and returns how many. A large backlog may take several calls. */
  expire(): Awaitable<number>;
  credit(posting: Posting): Awaitable<PostingResult>;
  debit(posting: Posting): Awaitable<PostingResult>;
  balance(account: string): Awaitable<Balance>;
  /**
   * Returns the entries of an account by sequence. Entries that are added later have greater sequences, so they change no
   * page after a cursor of the newest first.
   */
  entries(query: EntryQuery): Awaitable<EntryPage>;
  /** Checks the whole ledger and returns its inconsistencies. */
  verify(): Awaitable<readonly LedgerViolation[]>;
}
