import { ChangeListeners } from "../access/change-listeners.ts";
import { withGrant } from "../money/allowance.ts";
import { checkedWholeNumber } from "../options/problems.ts";
import { requireKnown } from "../options/require-known.ts";
import type { AccountAdmin, AccountPage } from "../ports/account-admin.ts";
import type {
  Account,
  AccountBalance,
  Allowance,
  BalanceStore,
  Credit,
  Debit,
  EndResult,
  HoldReference,
  HoldRequest,
  HoldResult,
  LedgerViolation,
  PostingResult,
  Refund,
  RefundResult,
  Renewal,
} from "../ports/balance-store.ts";
import {
  checkedAccount,
  checkedAccountQuery,
  checkedAllowance,
  checkedEntryQuery,
  checkedReason,
} from "../ports/check-arguments.ts";
import type { EntryPage, EntryQuery } from "../ports/ledger-entry.ts";
import { checkedSpendLimit } from "../ports/limits-schema.ts";
import type { Notice, NoticeOutbox, WaitingNotices } from "../ports/notice-outbox.ts";
import type { ChargeReceipt } from "../ports/receipt.ts";
import type { NewSpendLimit, SpendQuery, SpendState } from "../ports/spend-limit.ts";
import { forgetCharges } from "./forget-charges.ts";
import { accountBalanceOf } from "./memory-accounts.ts";
import { entriesPage } from "./memory-entries.ts";
import { MemoryHolds } from "./memory-holds.ts";
import { MemoryLedger } from "./memory-ledger.ts";
import { MemoryNotices } from "./memory-notices.ts";
import { MemoryPostings } from "./memory-postings.ts";
import { MemorySpend } from "./memory-spend.ts";
import { verifyMemoryLedger } from "./verify-memory-ledger.ts";

/** How much history a memory balance store keeps. */
export interface MemoryBalanceStoreOptions {
  /** Number of ended holds, and of postings, whose ids are remembered. Default: 1,000 of each. */
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
 * with one entry of their sum, whose reference is `brought-forward`. Charges among them can no longer be refunded.
 */
export function memoryBalanceStore(options: MemoryBalanceStoreOptions = {}): MemoryBalanceStore {
  requireKnown("memoryBalanceStore", options, { keepEnded: true, keepEntries: true });
  return new LedgerInMemory(options);
}

class LedgerInMemory implements MemoryBalanceStore {
  readonly #notices = new MemoryNotices();
  readonly #spend = new MemorySpend();
  readonly #ledger: MemoryLedger;
  readonly #holds: MemoryHolds;
  readonly #postings: MemoryPostings;
  readonly #freezes = new ChangeListeners<string>();

  constructor(options: MemoryBalanceStoreOptions) {
    const keepEnded = checkedWholeNumber("keepEnded", options.keepEnded ?? 1_000, 1);
    const keepEntries = checkedWholeNumber("keepEntries", options.keepEntries ?? 10_000, 2);
    this.#ledger = new MemoryLedger(keepEntries, this.#notices);
    this.#holds = new MemoryHolds(this.#ledger, this.#spend, this.#notices, keepEnded);
    this.#postings = new MemoryPostings(this.#ledger, this.#notices, keepEnded);
  }

  hold(request: HoldRequest): HoldResult {
    return this.#holds.hold(request);
  }

  renew(renewals: readonly Renewal[], leaseMs: number): readonly string[] {
    return this.#holds.renew(renewals, leaseMs);
  }

  settle(hold: HoldReference, amount: bigint, receipt: ChargeReceipt | undefined): EndResult {
    return this.#holds.settle(hold, amount, receipt);
  }

  release(hold: HoldReference): EndResult {
    return this.#holds.release(hold);
  }

  expire(): number {
    const ended = this.#holds.expire();
    this.#notices.tellOfExpiries(this.#ledger.accounts.all());
    return ended;
  }

  credit(posting: Credit): PostingResult {
    return this.#postings.credit(posting);
  }

  debit(posting: Debit): PostingResult {
    return this.#postings.debit(posting);
  }

  refund(refund: Refund): RefundResult {
    return this.#postings.refund(refund);
  }

  balance(account: string, allowance?: Allowance): AccountBalance {
    const now = Date.now();
    const known = this.#ledger.current(checkedAccount(account), now);
    const balance = accountBalanceOf(known);
    const grant = allowance && this.#ledger.dueGrant(known, checkedAllowance(allowance), now);
    return grant === undefined ? balance : withGrant(balance, grant.amount, grant.expiresAt);
  }

  usedBy(keyId: string): bigint {
    return this.#ledger.usedBy(keyId);
  }

  entries(query: EntryQuery): EntryPage {
    const checked = checkedEntryQuery(query);
    const { account } = checked;
    return entriesPage(account, this.#ledger.current(account, Date.now())?.entries ?? [], checked);
  }

  verify(): readonly LedgerViolation[] {
    return verifyMemoryLedger(this.#ledger.accounts.all(), this.#holds.pending(), this.#ledger.usedByKey);
  }

  listAccounts(query: Parameters<AccountAdmin["listAccounts"]>[0]): AccountPage {
    const checked = checkedAccountQuery(query);
    const now = Date.now();
    for (const account of this.#ledger.accounts.all()) this.#ledger.lapse(account, now);
    return this.#ledger.accounts.page(checked);
  }

  findAccount(account: string): Account | undefined {
    this.#ledger.current(checkedAccount(account), Date.now());
    return this.#ledger.accounts.find(account);
  }

  limitSpend(account: string, limit: NewSpendLimit | undefined): void {
    this.#ledger.accounts.limitSpend(checkedAccount(account), limit && checkedSpendLimit(limit));
  }

  freeze(account: string, reason: string): void {
    const isNew = this.#ledger.accounts.freeze(checkedAccount(account), checkedReason(reason));
    if (isNew) this.#notices.tell(account, { type: "account.frozen", reason });
    this.#freezes.notify(account);
  }

  thaw(account: string): void {
    const wasFrozen = this.#ledger.accounts.thaw(checkedAccount(account));
    if (wasFrozen) this.#notices.tell(account, { type: "account.thawed" });
    this.#freezes.notify(account);
  }

  forget(id: string): number {
    const account = this.#ledger.accounts.get(checkedAccount(id));
    return account === undefined ? 0 : forgetCharges(account, this.#holds.pending());
  }

  onFreeze(listener: (account: string) => void): () => void {
    return this.#freezes.add(listener);
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
}
