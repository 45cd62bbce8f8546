import { LRUCache } from "lru-cache";
import { checkedAmount, checkedWholeNumber } from "../money/cost.ts";
import { emptyBalance } from "../money/empty-balance.ts";
import { amountToHold, askedAmounts, checkHoldAmounts, leastToHold } from "../money/hold-amount.ts";
import { requireKnown } from "../options/require-known.ts";
import type { Account, AccountAdmin, AccountPage, SpendQuery } from "../ports/account-admin.ts";
import type {
  Balance,
  BalanceStore,
  EndResult,
  Entry,
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
import type { Notice, NoticeOutbox, WaitingNotices } from "../ports/notice-outbox.ts";
import type { ChargeReceipt, Receipt } from "../ports/receipt.ts";
import type { NewSpendLimit, SpendState } from "../ports/spend-limit.ts";
import { checkedSpendLimit } from "../ports/spend-schema.ts";
import { atMost } from "../runtime/at-most.ts";
import { balanceOf, type MemoryAccount, MemoryAccounts, postTo } from "./memory-accounts.ts";
import { entriesPage } from "./memory-entries.ts";
import type { EndState, Hold } from "./memory-hold.ts";
import { MemoryNotices } from "./memory-notices.ts";
import { type Limited, MemorySpend } from "./memory-spend.ts";
import { verifyMemoryLedger } from "./verify-memory-ledger.ts";

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
  readonly #pending = new Map<string, Hold>();
  readonly #ended: LRUCache<string, Hold>;
  readonly #postings: LRUCache<string, CheckedPosting & { readonly kind: "credit" | "debit" }>;
  #sequence = 0n;

  constructor(options: MemoryBalanceStoreOptions) {
    const keepEnded = checkedWholeNumber("keepEnded", options.keepEnded ?? 10_000, 1);
    this.#keepEntries = checkedWholeNumber("keepEntries", options.keepEntries ?? 10_000, 2);
    this.#ended = new LRUCache(atMost(keepEnded));
    this.#postings = new LRUCache(atMost(keepEnded));
  }

  hold(request: HoldRequest): HoldResult {
    checkHoldAmounts(request);
    const known = this.#find(request.id);
    if (known !== undefined) {
      if (!isSameHold(known, request)) return conflict;
      return { outcome: "held", balance: this.balance(request.account), amount: known.amount };
    }
    const balance = this.balance(request.account);
    if (balance.available < leastToHold(request)) return { outcome: "insufficient", balance };
    const now = Date.now();
    const limits = this.#limitsOf(request);
    const left = this.#spend.left(limits, balance.available, leastToHold(request), now);
    if (typeof left === "object") return left;
    return this.#add(request, amountToHold(request, left), limits, now);
  }

  #add(request: HoldRequest, amount: bigint, limits: readonly Limited[], now: number): HoldResult {
    const { id, keyId, receipt, notices: rules } = request;
    const account = this.#accounts.open(request.account);
    account.held += amount;
    if (rules !== undefined) account.lowBalance = rules.lowBalance;
    const counters = limits.map((limited) => this.#spend.counter(limited, now));
    for (const counter of counters) counter.spent += amount;
    const asked = askedAmounts(request);
    const fresh = { used: 0n, state: "pending", charged: 0n, expiresAt: now + request.leaseMs } as const;
    this.#pending.set(id, { id, account, keyId, amount, asked, receipt, counters, limits, rules, ...fresh });
    return { outcome: "held", balance: balanceOf(account), amount };
  }

  #limitsOf({ account, keyId, spend }: HoldRequest): Limited[] {
    const ofAccount = this.#accounts.get(account)?.spendLimit ?? spend.account;
    return [
      ...(ofAccount ? [{ scope: "account" as const, id: account, limit: ofAccount }] : []),
      ...(spend.key ? [{ scope: "key" as const, id: spend.limitsId ?? keyId, limit: spend.key }] : []),
    ];
  }

  renew(renewals: readonly Renewal[], leaseMs: number): readonly string[] {
    for (const { used } of renewals) checkedAmount(used, 0n);
    const expiresAt = Date.now() + leaseMs;
    return renewals.flatMap(({ id, used }) => {
      const hold = this.#pending.get(id);
      if (hold === undefined) return [];
      hold.expiresAt = expiresAt;
      if (used > hold.used) hold.used = used;
      return [id];
    });
  }

  settle(id: string, amount: bigint, receipt: ChargeReceipt): EndResult {
    checkedAmount(amount, 0n);
    const hold = this.#find(id);
    if (hold === undefined) return unknown;
    if (hold.state === "pending") return this.#end(hold, "settled", "charge", amount, receipt);
    if (hold.state === "settled" && hold.charged === amount) return repeated;
    return hold.state === "expired" ? this.#settleLate(hold, amount, receipt) : conflict;
  }

  release(id: string): EndResult {
    const hold = this.#find(id);
    if (hold === undefined) return unknown;
    if (hold.state === "pending") return this.#end(hold, "released", "charge", 0n);
    return hold.state === "released" ? repeated : conflict;
  }

  expire(): number {
    const now = Date.now();
    const due = [...this.#pending.values()].filter((hold) => hold.expiresAt <= now);
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
    return entriesPage(this.#accounts.get(checked.account)?.entries ?? [], checked);
  }

  verify(): readonly LedgerViolation[] {
    return verifyMemoryLedger(this.#accounts.all(), this.#pending.values());
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

  #find(id: string): Hold | undefined {
    return this.#pending.get(id) ?? this.#ended.get(id);
  }

  #end(hold: Hold, state: EndState, kind: "charge" | "expiry", charged: bigint, charge?: ChargeReceipt): EndResult {
    hold.account.held -= hold.amount;
    for (const counter of hold.counters) counter.spent -= hold.amount;
    hold.state = state;
    this.#pending.delete(hold.id);
    this.#ended.set(hold.id, hold);
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
    this.#addEntry(hold.account, kind, -change, hold.id, { receipt: receiptOf(hold, charge) });
    this.#notices.afterCharge(hold);
  }

  #post(kind: "credit" | "debit", posting: CheckedPosting): PostingResult {
    const { id, amount, reason } = posting;
    const known = this.#postings.get(id);
    if (known !== undefined && !(known.kind === kind && isSamePosting(known, posting))) return conflict;
    const account = this.#accounts.open(posting.account);
    if (known !== undefined) return { outcome: "repeated", balance: balanceOf(account) };
    this.#postings.set(id, { ...posting, kind });
    this.#addEntry(account, kind, kind === "credit" ? amount : -amount, id, { reason });
    return { outcome: "posted", balance: balanceOf(account) };
  }

  #addEntry(
    account: MemoryAccount,
    kind: EntryKind,
    amount: bigint,
    reference: string,
    cause: Pick<Entry, "reason" | "receipt">,
  ): void {
    this.#sequence += 1n;
    const entry = { sequence: this.#sequence, account: account.id, kind, amount, reference, ...cause, at: new Date() };
    postTo(account, entry, this.#keepEntries);
    this.#notices.afterPosting(account);
  }
}

const ended: EndResult = Object.freeze({ outcome: "ended" });
const repeated: EndResult = Object.freeze({ outcome: "repeated" });
const settledLate: EndResult = Object.freeze({ outcome: "late" });
const unknown: EndResult = Object.freeze({ outcome: "unknown" });
const conflict = Object.freeze({ outcome: "conflict" } as const);

function isSameHold(known: Hold, request: HoldRequest): boolean {
  // The lease may differ, since a repeated call may pass what is left of it.
  return known.account.id === request.account && known.keyId === request.keyId && known.asked === askedAmounts(request);
}

function isSamePosting(known: CheckedPosting, posting: CheckedPosting): boolean {
  return known.account === posting.account && known.amount === posting.amount && known.reason === posting.reason;
}

function receiptOf({ receipt, keyId }: Hold, charge: ChargeReceipt | undefined): Receipt {
  return charge === undefined ? { ...receipt, keyId } : { ...receipt, keyId, charge };
}
