import { amountToHold, askedAmounts, checkHoldAmounts, leastToHold, limitsOf } from "../money/hold-amount.ts";
import { checkedAmount, checkedWholeNumber } from "../options/problems.ts";
import { requireKnown } from "../options/require-known.ts";
import type { Account, AccountAdmin, AccountPage, SpendQuery } from "../ports/account-admin.ts";
import type {
  Balance,
  BalanceStore,
  EndResult,
  EntryKind,
  EntryPage,
  EntryQuery,
  HoldRequest,
  HoldResult,
  LedgerViolation,
  Posting,
  PostingResult,
  Renewal,
} from "../ports/balance-store.ts";
import {
  type CheckedPosting,
  checkedAccount,
  checkedAccountQuery,
  checkedEntryQuery,
  checkedPosting,
} from "../ports/check-arguments.ts";
import { checkedSpendLimit } from "../ports/limits-schema.ts";
import type { Notice, NoticeOutbox, WaitingNotices } from "../ports/notice-outbox.ts";
import type { ChargeReceipt } from "../ports/receipt.ts";
import type { NewSpendLimit, SpendState } from "../ports/spend-limit.ts";
import {
  balanceOf,
  emptyBalance,
  type Hold,
  type MemoryAccount,
  MemoryAccounts,
  postTo,
  verifyMemoryLedger,
} from "./memory-accounts.ts";
import { entriesPage, type LedgerEntry } from "./memory-entries.ts";
import { MemoryNotices } from "./memory-notices.ts";
import { MemorySpend, type SpendCounter } from "./memory-spend.ts";
import { RecentMap } from "./recent-map.ts";

/** How much history a memory balance store keeps. */
export interface MemoryBalanceStoreOptions {
  /** Number of ended holds, and of postings, whose ids are remembered. Default: 10,000 of each. */
  readonly keepEnded?: number;
  /** Maximum number of entries per account, at least 2. Default: 10,000. */
  readonly keepEntries?: number;
}

type Port = BalanceStore & AccountAdmin & NoticeOutbox;

/** A BalanceStore, AccountAdmin and NoticeOutbox whose methods are synchronous. */
export type MemoryBalanceStore = {
  [Verb in keyof Port]: (...args: Parameters<Port[Verb]>) => Awaited<ReturnType<Port[Verb]>>;
};

/**
 * Returns a BalanceStore in the memory of this process, for development and tests. Balances are lost at exit. Every
 * method is one synchronous step. It does not check keys and terms.
 *
 * Its memory is limited. The id of an ended hold or of a posting is remembered until at least `keepEnded` others have
 * followed it. After that, the id is unknown or new. When an account has `keepEntries` entries, the older half is replaced
 * with one entry of their sum, whose reference is `brought-forward`.
 */
export function memoryBalanceStore(options: MemoryBalanceStoreOptions = {}): MemoryBalanceStore {
  requireKnown("memoryBalanceStore", options, { keepEnded: true, keepEntries: true });
  return new LedgerInMemory(options);
}

class LedgerInMemory implements MemoryBalanceStore {
  readonly #keepEntries: number;
  readonly #accounts = new MemoryAccounts();
  readonly #spend = new MemorySpend();
  readonly #notices = new MemoryNotices();
  readonly #holds: RecentMap<Hold>;
  readonly #postings: RecentMap<CheckedPosting & { readonly kind: "credit" | "debit" }>;
  #sequence = 0;

  constructor(options: MemoryBalanceStoreOptions) {
    const keepEnded = checkedWholeNumber("keepEnded", options.keepEnded ?? 10_000, 1);
    this.#keepEntries = checkedWholeNumber("keepEntries", options.keepEntries ?? 10_000, 2);
    this.#holds = new RecentMap(keepEnded, isPending);
    this.#postings = new RecentMap(keepEnded, () => false);
  }

  hold(request: HoldRequest): HoldResult {
    checkHoldAmounts(request);
    const known = this.#holds.get(request.id);
    if (known !== undefined) {
      if (!isSameHold(known, request)) return conflict;
      return { outcome: "held", balance: this.balance(request.account), amount: known.held };
    }
    const balance = this.balance(request.account);
    if (balance.available < leastToHold(request)) return { outcome: "insufficient", balance };
    const now = Date.now();
    const limits = limitsOf(request, this.#accounts.get(request.account)?.spendLimit);
    const left = this.#spend.left(limits, balance.available, leastToHold(request), now);
    if (typeof left === "object") return left;
    return this.#add(request, amountToHold(request, left), limits, now);
  }

  #add(request: HoldRequest, held: bigint, limits: readonly SpendQuery[], now: number): HoldResult {
    const account = this.#accounts.open(request.account);
    account.held += held;
    if (request.notices !== undefined) account.lowBalance = request.notices.lowBalance;
    this.#holds.open(request.id, {
      id: request.id,
      account,
      keyId: request.keyId,
      held,
      amount: request.amount,
      flexible: request.flexible,
      receipt: request.receipt,
      expiresAt: now + request.leaseMs,
      used: 0n,
      state: "pending",
      charged: 0n,
      counters: this.#count(limits, held, now),
      limits,
      rules: request.notices,
    });
    return { outcome: "held", balance: balanceOf(account), amount: held };
  }

  /** Adds a held amount to the windows that are open now, and returns these. */
  #count(limits: readonly SpendQuery[], held: bigint, now: number): readonly SpendCounter[] {
    if (limits.length === 0) return none;
    const counters = limits.map((limited) => this.#spend.counter(limited, now));
    for (const counter of counters) counter.spent += held;
    return counters;
  }

  renew(renewals: readonly Renewal[], leaseMs: number): readonly string[] {
    for (const { used } of renewals) checkedAmount(used, 0n);
    const expiresAt = Date.now() + leaseMs;
    return renewals.flatMap(({ id, used }) => {
      const hold = this.#holds.get(id);
      if (hold?.state !== "pending") return [];
      hold.expiresAt = expiresAt;
      if (used > hold.used) hold.used = used;
      return [id];
    });
  }

  settle(id: string, amount: bigint, receipt: ChargeReceipt): EndResult {
    checkedAmount(amount, 0n);
    const hold = this.#holds.get(id);
    if (hold === undefined) return unknown;
    if (hold.state === "pending") return this.#end(hold, "settled", "charge", amount, receipt);
    if (hold.state === "settled" && hold.charged === amount) return repeated;
    return hold.state === "expired" ? this.#settleLate(hold, amount, receipt) : conflict;
  }

  release(id: string): EndResult {
    const hold = this.#holds.get(id);
    if (hold === undefined) return unknown;
    if (hold.state === "pending") return this.#end(hold, "released", "charge", 0n);
    return hold.state === "released" ? repeated : conflict;
  }

  expire(): number {
    const now = Date.now();
    const due = [...this.#holds.allOpen()].filter((hold) => hold.expiresAt <= now);
    for (const hold of due) this.#end(hold, "expired", "expiry", hold.used);
    return due.length;
  }

  credit(posting: Posting): PostingResult {
    return this.#post("credit", checkedPosting(posting));
  }

  debit(posting: Posting): PostingResult {
    return this.#post("debit", checkedPosting(posting));
  }

  balance(account: string): Balance {
    const known = this.#accounts.get(checkedAccount(account));
    return known === undefined ? emptyBalance : balanceOf(known);
  }

  entries(query: EntryQuery): EntryPage {
    const checked = checkedEntryQuery(query);
    return entriesPage(checked.account, this.#accounts.get(checked.account)?.entries ?? [], checked);
  }

  verify(): readonly LedgerViolation[] {
    return verifyMemoryLedger(this.#accounts.all(), this.#holds.allOpen());
  }

  listAccounts(query: Parameters<AccountAdmin["listAccounts"]>[0]): AccountPage {
    return this.#accounts.page(checkedAccountQuery(query));
  }

  findAccount(account: string): Account | undefined {
    return this.#accounts.find(checkedAccount(account));
  }

  limitSpend(account: string, limit: NewSpendLimit | undefined): void {
    this.#accounts.limitSpend(checkedAccount(account), limit && checkedSpendLimit(limit));
  }

  claimNotices(query: Parameters<NoticeOutbox["claimNotices"]>[0]): readonly Notice[] {
    return this.#notices.claimNotices({ ...query, limit: checkedWholeNumber("limit", query.limit, 1) });
  }

  postponeNotice(...args: Parameters<NoticeOutbox["postponeNotice"]>): void {
    this.#notices.postponeNotice(...args);
  }

  finishNotice(id: string): void {
    this.#notices.finishNotice(id);
  }

  waitingNotices(): WaitingNotices {
    return this.#notices.waitingNotices();
  }

  spendOf(queries: readonly SpendQuery[]): readonly SpendState[] {
    const now = Date.now();
    return queries.map((query) => this.#spend.state({ ...query, limit: checkedSpendLimit(query.limit) }, now));
  }

  #end(
    hold: Hold,
    state: Exclude<Hold["state"], "pending">,
    kind: "charge" | "expiry",
    charged: bigint,
    charge?: ChargeReceipt,
  ): EndResult {
    hold.account.held -= hold.held;
    for (const counter of hold.counters) counter.spent -= hold.held;
    hold.state = state;
    this.#holds.close(hold.id, hold);
    this.#charge(hold, kind, charged, charge);
    return ended;
  }

  #settleLate(hold: Hold, amount: bigint, charge: ChargeReceipt): EndResult {
    hold.state = "settled";
    this.#charge(hold, "late", amount, charge);
    return settledLate;
  }

  /** Posts what the charge differs from an earlier one of the hold. */
  #charge(hold: Hold, kind: EntryKind, charged: bigint, charge: ChargeReceipt | undefined): void {
    const change = charged - hold.charged;
    if (change === 0n) return;
    hold.charged = charged;
    for (const counter of hold.counters) {
      counter.spent += change;
      counter.charged += change;
    }
    this.#addEntry(hold.account, { kind, amount: -change, reference: hold.id, reason: undefined, hold, charge });
    this.#notices.afterCharge(hold);
  }

  #post(kind: "credit" | "debit", posting: CheckedPosting): PostingResult {
    const { id, amount, reason } = posting;
    const known = this.#postings.get(id);
    if (known !== undefined && !(known.kind === kind && isSamePosting(known, posting))) return conflict;
    const account = this.#accounts.open(posting.account);
    if (known !== undefined) return { outcome: "repeated", balance: balanceOf(account) };
    this.#postings.close(id, { ...posting, kind });
    const posted = kind === "credit" ? amount : -amount;
    this.#addEntry(account, { kind, amount: posted, reference: id, reason, hold: undefined, charge: undefined });
    return { outcome: "posted", balance: balanceOf(account) };
  }

  #addEntry(account: MemoryAccount, wanted: Omit<LedgerEntry, "sequence" | "at">): void {
    const { kind, amount, reference, reason, hold, charge } = wanted;
    this.#sequence += 1;
    const entry = { sequence: this.#sequence, kind, amount, reference, at: Date.now(), reason, hold, charge };
    postTo(account, entry, this.#keepEntries);
    this.#notices.afterPosting(account);
  }
}

const none: readonly never[] = Object.freeze([]);
const ended: EndResult = Object.freeze({ outcome: "ended" });
const repeated: EndResult = Object.freeze({ outcome: "repeated" });
const settledLate: EndResult = Object.freeze({ outcome: "late" });
const unknown: EndResult = Object.freeze({ outcome: "unknown" });
const isPending = ({ state }: Hold): boolean => state === "pending";
const conflict = Object.freeze({ outcome: "conflict" } as const);

function isSameHold(known: Hold, request: HoldRequest): boolean {
  // The lease may differ, since a repeated call may pass what is left of it.
  return (
    known.account.id === request.account &&
    known.keyId === request.keyId &&
    askedAmounts(known) === askedAmounts(request)
  );
}

function isSamePosting(known: CheckedPosting, posting: CheckedPosting): boolean {
  return known.account === posting.account && known.amount === posting.amount && known.reason === posting.reason;
}
