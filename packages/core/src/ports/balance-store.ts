import type { Awaitable } from "../runtime/awaitable.ts";

/** What an account has, in nano-units (10^-9 of the host's currency). `available` is posted less held; it may be negative. */
export interface Balance {
  readonly posted: bigint;
  readonly held: bigint;
  readonly available: bigint;
}

/**
 * A hold to be made. The same id again with the same account, key and amount has the same effect; lease and terms are
 * not content. The id of a hold that has ended answers `held` and holds nothing.
 */
export interface HoldRequest {
  /** A UUID made by the server for this request, never an id that a client chose. */
  readonly id: string;
  readonly account: string;
  readonly keyId: string;
  /** Nano-units, not negative. */
  readonly amount: bigint;
  /** How long the hold lives unless it is renewed, in milliseconds. */
  readonly leaseMs: number;
  /** Versions of the terms of which the account must have accepted one; empty: none is asked for. */
  readonly terms: readonly string[];
}

/**
 * What became of a hold. `key_refused` and `terms_refused` come only from a store that shares its database
 * with the keys and the terms and so checks them in the same step; `conflict` is the id again with other content.
 */
export type HoldResult =
  | { readonly outcome: "held"; readonly balance: Balance }
  | { readonly outcome: "insufficient"; readonly balance: Balance }
  | { readonly outcome: "key_refused" | "terms_refused" | "conflict" };

/** What a running hold has cost so far, in nano-units; it never goes down. */
export interface Renewal {
  readonly id: string;
  readonly used: bigint;
}

/**
 * What became of the end of a hold. `repeated`: it had ended so already, with the same amount. `late`: it had
 * expired, and only the difference to what the expiry charged was posted. `conflict`: it had ended otherwise,
 * and nothing was done. `unknown`: there is no such hold.
 */
export type EndResult = {
  readonly outcome: "ended" | "repeated" | "late" | "conflict" | "unknown";
};

/**
 * Money put on or taken off an account by the host. The same id again with the same content has the same effect;
 * credits and debits share one space of ids.
 */
export interface Posting {
  readonly id: string;
  readonly account: string;
  /** Nano-units, greater than zero. */
  readonly amount: bigint;
  /** Why, for whoever reads the ledger: "top-up", "refund", "correction of invoice 17". */
  readonly reason: string;
}

/** What became of a posting; `conflict` is the id again with other content, and nothing was done. */
export type PostingResult =
  | { readonly outcome: "posted" | "repeated"; readonly balance: Balance }
  | { readonly outcome: "conflict" };

/** Why an entry stands in the ledger. `charge` ends a hold, `expiry` ends one whose lease ran out, `late` settles an expired one. */
export type EntryKind = "credit" | "debit" | "charge" | "expiry" | "late";

/** One line of the append-only ledger; `amount` in nano-units, negative when the account paid. */
export interface Entry {
  /** Position in the ledger, rising; the cursor of {@link BalanceStore.entries}. */
  readonly sequence: bigint;
  readonly account: string;
  readonly kind: EntryKind;
  readonly amount: bigint;
  /** The hold or the posting that caused it. */
  readonly reference: string;
  readonly reason?: string;
  readonly at: Date;
}

/** One page of entries, oldest first; `next` is absent on the last page. */
export interface EntryPage {
  readonly entries: readonly Entry[];
  readonly next?: bigint;
}

/** A place where the books do not agree with themselves, in one sentence that names the account or hold. */
export interface LedgerViolation {
  readonly account: string;
  readonly problem: string;
}

/**
 * Port: the ledger of prepaid balances, all amounts bigint nano-units.
 *
 * Each verb is one atomic step, safe to call again with the same arguments, and durable when it answers. A
 * refusal is a value; a throw is an outage, after which the gateway does not know whether the step took
 * effect: it answers 503 for a hold, and repeats a settlement or release. An account that was never seen has
 * a balance of zero. A hold is granted only if posted less held is at least the amount at that instant, however
 * many processes ask, and it leaves its pending state exactly once; an expired one may be settled once, late.
 *
 * The balance in an answer is that after the step; calls that a store does together may each tell the balance after all.
 *
 * Amounts that are no bigint, negative ones, and postings of zero throw a RangeError, as a bug of the caller. A
 * movement of zero writes no entry.
 *
 * `renew` moves the lease of every hold named that is still pending to `leaseMs` from now and keeps the
 * greater `used`; it gives back the ids that were renewed. It may pass over a hold that another call is changing at
 * that moment; the next renewal makes up for it. A hold whose lease has run out stays pending until a sweep ends it.
 * `settle` posts the real cost, which may exceed the hold. `release` ends a hold that cost nothing; an expired one
 * cannot be released. `expire` ends holds whose lease has run out, charging each its last `used`, and gives back how
 * many; a large backlog may take several calls. `verify` reads everything and gives back what is wrong.
 */
export interface BalanceStore {
  hold(request: HoldRequest): Awaitable<HoldResult>;
  renew(renewals: readonly Renewal[], leaseMs: number): Awaitable<readonly string[]>;
  settle(id: string, amount: bigint): Awaitable<EndResult>;
  release(id: string): Awaitable<EndResult>;
  expire(): Awaitable<number>;
  credit(posting: Posting): Awaitable<PostingResult>;
  debit(posting: Posting): Awaitable<PostingResult>;
  balance(account: string): Awaitable<Balance>;
  entries(query: { readonly account: string; readonly limit: number; readonly after?: bigint }): Awaitable<EntryPage>;
  verify(): Awaitable<readonly LedgerViolation[]>;
}
