import type { Awaitable } from "../runtime/awaitable.ts";
import type { EntryPage, EntryQuery, MoneyKind } from "./ledger-entry.ts";
import type { ChargeReceipt, HoldReceipt } from "./receipt.ts";
import type {
  HoldSpend,
  NoticeRules,
  SpendLimit,
  SpendQuery,
  SpendScope,
  SpendState,
  SpendWindow,
} from "./spend-limit.ts";

/** The balance of an account, in nano-units (10^-9 of the host's currency). `available` is `posted` minus `held`, and may be negative. */
export interface Balance {
  readonly posted: bigint;
  readonly held: bigint;
  readonly available: bigint;
}

/** The balance of an account as a reader sees it, with the whole allowance of the present window. */
export interface AccountBalance extends Balance {
  /** What is left of the money that expires, by the time at which it does, the next first. At most 100. */
  readonly expiring: readonly ExpiringAmount[];
  /** Nano-units: all credits that were ever posted, less refunds to the customer; and all charges, less refunds at receipts. */
  readonly totals: { readonly credited: bigint; readonly used: bigint };
  /** Present while the account is frozen. */
  readonly frozen?: Freeze;
}

/** An account that has a balance, a hold, an entry or a spend limit. */
export interface Account {
  readonly id: string;
  readonly balance: Balance;
  /** The limit of the account itself. Absent: the default of its plan applies. */
  readonly spendLimit?: SpendLimit;
  /** Present while it is frozen. */
  readonly frozen?: Freeze;
}

/** Money that expires at a time. */
export interface ExpiringAmount {
  /** Nano-units, greater than zero. */
  readonly amount: bigint;
  readonly expiresAt: Date;
}

/** Since when and why an account is frozen: it may be read and credited, and pays for nothing. */
export interface Freeze {
  readonly at: Date;
  readonly reason: string;
}

/**
 * Money that an account is granted once in each calendar window of the time zone, and that expires when the window ends. The
 * grant is made in the same step as the first hold of the window.
 */
export interface Allowance {
  /** Nano-units, greater than zero. */
  readonly amount: bigint;
  readonly window: Exclude<SpendWindow, "total">;
  /** An IANA time zone. Absent: UTC. */
  readonly timezone?: string;
}

/**
 * A hold to place. A repeated call with the same id, account, key and amounts has no further effect, and returns what the
 * first one held; lease, terms, receipt, spend limits and notices may differ. For the id of a hold that was settled or
 * released, the store returns `ended`; for one that has expired, it returns `held` and holds nothing, since it can be settled late.
 */
export interface HoldRequest {
  /** A UUID that the gateway created for this request, never one that a client chose. */
  readonly id: string;
  readonly account: string;
  /** Undefined: the host charges the account without a key. */
  readonly keyId: string | undefined;
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
  /** What the plan grants in each window. Undefined: nothing. */
  readonly allowance?: Allowance | undefined;
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
 * `ended`: the same hold was settled at `cost` nano-units, or released if `cost` is undefined; nothing is held.
 * `conflict`: the id exists with a different account, key or amount. `frozen`: the account pays for nothing.
 * `spend_limit`: the charges and pending holds of the limit's present window, which are `spent`, and the least amount exceed
 * it. The balance is checked first, then the limit of the account, that of the key, and the cap of the token.
 */
export type HoldResult =
  | { readonly outcome: "held"; readonly balance: Balance; readonly amount: bigint }
  | { readonly outcome: "ended"; readonly cost: bigint | undefined }
  | { readonly outcome: "insufficient"; readonly balance: Balance }
  | SpendRefusal
  | { readonly outcome: "key_refused" | "terms_refused" | "frozen" | "conflict" };

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

/** Names a hold: by its id among those of its account. */
export interface HoldReference {
  readonly id: string;
  readonly account: string;
}

/** The cost of a pending hold so far, in nano-units. It never decreases. */
export interface Renewal extends HoldReference {
  readonly used: bigint;
}

/**
 * The result of ending a hold. `repeated`: it had already ended in the same way with the same amount. `late`: it had
 * expired, and the difference to the amount of the expiry was posted. `conflict`: it had ended in another way, and nothing
 * was changed. `unknown`: the account has no such hold.
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

/**
 * A credit. It pays a negative balance first; what is left is a lot. A charge takes from the lot that expires first, then from
 * granted ones, then from paid ones, each in the order in which they were posted.
 */
export interface Credit extends Posting {
  /** Default: "paid". */
  readonly kind?: MoneyKind;
  /** When what is left of it expires; at once if the time has passed. Absent: never. */
  readonly expiresAt?: Date;
}

/** A debit. It takes from the lots as a charge does, and may make the balance negative. */
export interface Debit extends Posting {
  /** "paid": takes from paid lots alone, and at most what is left of them. */
  readonly from?: "paid";
}

/**
 * The result of a posting. `amount` is what was posted in nano-units: that of the posting, or less for a debit of paid lots.
 * `conflict`: the id exists with other content, and nothing was changed.
 */
export type PostingResult =
  | { readonly outcome: "posted" | "repeated"; readonly balance: Balance; readonly amount: bigint }
  | { readonly outcome: "conflict" };

/** A refund of a charge: an entry of the kinds `charge`, `expiry` or `late`. */
export interface Refund {
  readonly account: string;
  /** The sequence number of the entry. */
  readonly sequence: bigint;
  /**
   * Greater than zero, at most what the entry charged, less what a late settlement has returned of an expiry: nano-units, or a
   * decimal string. Absent: all of it.
   */
  readonly amount?: bigint | string;
  /** The reason, for readers of the ledger. */
  readonly reason: string;
}

/**
 * The result of a refund. `repeated`: the entry was refunded before with the same amount. `conflict`: with another amount, or
 * the amount exceeds the charge. `unknown`: the account has no such charge.
 */
export type RefundResult =
  | { readonly outcome: "posted" | "repeated"; readonly balance: Balance; readonly amount: bigint }
  | { readonly outcome: "conflict" | "unknown" };

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
 * A lot that expires stays in the balance while pending holds need it: at its time and at each later end of a hold, the least
 * of what is left of it and of posted minus held expires, as an entry. Every method first lets expire what is due.
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
   * late, with a receipt of its own; what the expiry charged above the cost returns as a refund does, less what was refunded
   * of it. A repeated call with another receipt keeps the first. A hold of the host has none.
   */
  settle(hold: HoldReference, amount: bigint, receipt: ChargeReceipt | undefined): Awaitable<EndResult>;
  /** Ends a hold that cost nothing. An expired hold cannot be released. */
  release(hold: HoldReference): Awaitable<EndResult>;
  /**
   * Ends pending holds whose lease has expired, charges each its last `used`, and returns how many. A large backlog may take
   * several calls. Removes the counters of tokens that expired an hour ago or earlier.
   */
  expire(): Awaitable<number>;
  credit(posting: Credit): Awaitable<PostingResult>;
  debit(posting: Debit): Awaitable<PostingResult>;
  /**
   * Returns a charge to the lots that its entry names, with their kinds, dates and places in the order; what came from a lot
   * that has expired is granted for 7 days. It also counts no more in the spend limits of its account and key whose windows are still open. Each entry is
   * refunded at most once.
   */
  refund(refund: Refund): Awaitable<RefundResult>;
  /** Returns the balance, in which the allowance of the present window counts as granted. */
  balance(account: string, allowance?: Allowance): Awaitable<AccountBalance>;
  /** Returns what was charged for a key, less refunds, in nano-units. */
  usedBy(keyId: string): Awaitable<bigint>;
  /** Returns an account; undefined if it was never used. */
  findAccount(account: string): Awaitable<Account | undefined>;
  /** Returns what was spent of each limit in its present window, in the order of the queries. */
  spendOf(queries: readonly SpendQuery[]): Awaitable<readonly SpendState[]>;
  /**
   * Calls the listener with each account that is frozen or thawed through this store. Returns a function that removes the
   * listener.
   */
  onFreeze(listener: (account: string) => void): () => void;
  /**
   * Returns the entries of an account by sequence. Entries that are added later have greater sequences, so they change no
   * page after a cursor of the newest first.
   */
  entries(query: EntryQuery): Awaitable<EntryPage>;
  /** Checks the whole ledger and returns its inconsistencies. */
  verify(): Awaitable<readonly LedgerViolation[]>;
}
