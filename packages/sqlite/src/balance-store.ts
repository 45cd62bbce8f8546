import { type Awaitable, requireKnown } from "@tollgate/core/internal";
import {
  type Account,
  type AccountAdmin,
  type AccountBalance,
  type AccountPage,
  type Allowance,
  type BalanceStore,
  ChangeListeners,
  type ChargeReceipt,
  type Credit,
  checkedAccount,
  checkedAccountQuery,
  checkedAllowance,
  checkedAmount,
  checkedCredit,
  checkedDebit,
  checkedEntryQuery,
  checkedId,
  checkedReason,
  checkedRefund,
  checkedSpendLimit,
  checkedWholeNumber,
  checkHoldAmounts,
  type Debit,
  type EndResult,
  type EntryPage,
  type EntryQuery,
  type HoldReference,
  type HoldRequest,
  type HoldResult,
  keyLocation,
  type LedgerViolation,
  type NewSpendLimit,
  type Notice,
  type NoticeOutbox,
  type PostingResult,
  type Refund,
  type RefundResult,
  type Renewal,
  type SpendQuery,
  type SpendState,
  type WaitingNotices,
} from "@tollgate/core/store";
import { accountBalance } from "./account-balance.ts";
import { AccountReads } from "./account-reads.ts";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";
import { ForgottenCharges } from "./forgotten-charges.ts";
import { type HoldCheckOptions, holdCheck } from "./hold-check.ts";
import { HoldSteps } from "./hold-steps.ts";
import { KeyUsage } from "./key-usage.ts";
import { Ledger } from "./ledger.ts";
import { ledgerDatabase } from "./ledger-database.ts";
import { Notices } from "./notices.ts";
import { storableInteger } from "./parameters.ts";
import { PostingSteps } from "./posting-steps.ts";
import { LedgerCheck } from "./verify-ledger.ts";

/** The balances of a SQLite database, with postings that can join a transaction of the host. */
export interface SqliteBalanceStore extends BalanceStore, AccountAdmin, NoticeOutbox {
  /**
   * Posts in the transaction that the host has open on the same connection, so that a posting and rows of the host's own are
   * one commit. Throws without one. Begin it with `BEGIN IMMEDIATE`, and commit it without an await in between: until then
   * the other calls of the store wait, and throw after 5 s.
   */
  readonly inTransaction: HostPostings;
}

/** Credits and debits that return at once. They throw as those of a {@link BalanceStore} do, without effect. */
export interface HostPostings {
  credit(posting: Credit): PostingResult;
  debit(posting: Debit): PostingResult;
}

/**
 * A BalanceStore in SQLite, on a database that the host opens. {@link sqliteStores} lists the settings it changes.
 * Calls made in one turn of the event loop share one transaction. A call throws after it has waited 5 s for the write
 * lock of another connection. Amounts and balances beyond 2^63 - 1 nano-units throw a RangeError. `verify` reads the
 * whole ledger in one synchronous call, which blocks the process until it returns.
 */
export function sqliteBalanceStore(database: SqliteDatabase, options: HoldCheckOptions = {}): SqliteBalanceStore {
  requireKnown("sqliteBalanceStore", options, { checkKeys: true, checkTerms: true });
  return new BalancesInSqlite(new Connection(database), options);
}

/** The BalanceStore on an open connection. */
export class BalancesInSqlite implements SqliteBalanceStore {
  readonly [keyLocation]: string | undefined;
  readonly [ledgerDatabase]: SqliteDatabase;
  readonly inTransaction: HostPostings;
  readonly #connection: Connection;
  readonly #forgotten: ForgottenCharges;
  readonly #freezes = new ChangeListeners<string>();
  readonly #holds: HoldSteps;
  readonly #keyUsage: KeyUsage;
  readonly #ledger: Ledger;
  readonly #ledgerCheck: LedgerCheck;
  readonly #notices: Notices;
  readonly #postings: PostingSteps;
  readonly #reads: AccountReads;
  readonly onFreeze = this.#freezes.add;

  constructor(connection: Connection, options: HoldCheckOptions) {
    this.#connection = connection;
    this[keyLocation] = options.checkKeys === true ? connection.location : undefined;
    this[ledgerDatabase] = connection.database;
    this.#notices = new Notices(connection);
    this.#ledger = new Ledger(connection, this.#notices);
    this.#holds = new HoldSteps(connection, holdCheck(connection, options), this.#ledger, this.#notices);
    this.#postings = new PostingSteps(connection, this.#ledger, this.#holds.holds, this.#notices);
    this.#reads = new AccountReads(connection, this.#ledger);
    this.#forgotten = new ForgottenCharges(connection);
    this.#keyUsage = new KeyUsage(connection);
    this.#ledgerCheck = new LedgerCheck(connection);
    this.inTransaction = hostPostings(connection, this.#postings);
  }

  hold(request: HoldRequest): Awaitable<HoldResult> {
    checkHoldAmounts(request);
    storableInteger(request.amount);
    return this.#connection.write(() => this.#holds.hold(request));
  }

  renew(renewals: readonly Renewal[], leaseMs: number): Awaitable<readonly string[]> {
    for (const { used } of renewals) storableAmount(used, 0n);
    if (renewals.length === 0) return [];
    return this.#connection.write(() => this.#holds.renew(renewals, leaseMs));
  }

  settle(hold: HoldReference, amount: bigint, receipt: ChargeReceipt | undefined): Awaitable<EndResult> {
    storableAmount(amount, 0n);
    return this.#connection.write(() => this.#holds.settle(hold, amount, receipt));
  }

  release(hold: HoldReference): Awaitable<EndResult> {
    return this.#connection.write(() => this.#holds.release(hold));
  }

  expire(): Awaitable<number> {
    return this.#connection.write(() => {
      const ended = this.#holds.expire(maxPerSweep);
      this.#ledger.lapseDue(maxPerSweep);
      this.#notices.tellOfExpiries(maxPerSweep);
      return ended;
    });
  }

  credit(posting: Credit): Awaitable<PostingResult> {
    const checked = checkedCredit(posting);
    return this.#connection.write(() => this.#postings.credit(checked));
  }

  debit(posting: Debit): Awaitable<PostingResult> {
    const checked = checkedDebit(posting);
    return this.#connection.write(() => this.#postings.debit(checked));
  }

  refund(refund: Refund): Awaitable<RefundResult> {
    const checked = checkedRefund(refund);
    return this.#connection.write(() => this.#postings.refund(checked));
  }

  balance(account: string, allowance?: Allowance): Awaitable<AccountBalance> {
    checkedAccount(account);
    const checked = allowance && checkedAllowance(allowance);
    return this.#reads.read(account, (row) => accountBalance(this.#ledger, account, row, checked));
  }

  usedBy(keyId: string): Awaitable<bigint> {
    checkedId("keyId", keyId);
    return this.#connection.read(() => this.#keyUsage.of(keyId));
  }

  entries(query: EntryQuery): Awaitable<EntryPage> {
    const checked = checkedEntryQuery(query);
    return this.#reads.read(checked.account, () => this.#ledger.entries.page(checked));
  }

  verify(): Awaitable<readonly LedgerViolation[]> {
    return this.#connection.snapshot(() => this.#ledgerCheck.violations());
  }

  claimNotices({ limit, leaseMs }: Parameters<NoticeOutbox["claimNotices"]>[0]): Awaitable<readonly Notice[]> {
    checkedWholeNumber("limit", limit, 1);
    return this.#connection.write(() => this.#notices.claim(limit, leaseMs));
  }

  postponeNotice(id: string, query: Parameters<NoticeOutbox["postponeNotice"]>[1]): Awaitable<void> {
    return this.#connection.write(() => this.#notices.postpone(id, query.delayMs, query.delivered));
  }

  finishNotice(id: string): Awaitable<void> {
    return this.#connection.write(() => this.#notices.finish(id));
  }

  waitingNotices(): Awaitable<WaitingNotices> {
    return this.#connection.read(() => this.#notices.waiting());
  }

  listAccounts(query: Parameters<AccountAdmin["listAccounts"]>[0]): Awaitable<AccountPage> {
    const { limit, after = "", prefix = "" } = checkedAccountQuery(query);
    return this.#reads.page(limit, after, prefix);
  }

  findAccount(account: string): Awaitable<Account | undefined> {
    checkedAccount(account);
    return this.#reads.read(account, (row) => row?.account);
  }

  limitSpend(account: string, limit: NewSpendLimit | undefined): Awaitable<void> {
    checkedAccount(account);
    const checked = limit && checkedSpendLimit(limit);
    return this.#connection.write(() => this.#ledger.accounts.limitSpend(account, checked));
  }

  async freeze(account: string, reason: string): Promise<void> {
    checkedAccount(account);
    checkedReason(reason);
    await this.#connection.write(() => {
      const isNew = this.#ledger.accounts.find(account)?.account.frozen === undefined;
      this.#ledger.accounts.freeze(account, reason);
      if (isNew) this.#notices.tell(account, { type: "account.frozen", reason });
    });
    this.#freezes.notify(account);
  }

  async thaw(account: string): Promise<void> {
    checkedAccount(account);
    const thawed = await this.#connection.write(() => {
      const wasFrozen = this.#ledger.accounts.thaw(account);
      if (wasFrozen) this.#notices.tell(account, { type: "account.thawed" });
      return wasFrozen;
    });
    if (thawed) this.#freezes.notify(account);
  }

  forget(account: string): Awaitable<number> {
    checkedAccount(account);
    return this.#connection.write(() => this.#forgotten.forget(account));
  }

  spendOf(queries: readonly SpendQuery[]): Awaitable<readonly SpendState[]> {
    for (const { limit } of queries) checkedSpendLimit(limit);
    return this.#connection.read(() => queries.map((query) => this.#ledger.spend.state(query)));
  }
}

/** A sweep releases the write lock after this many holds, so that a backlog does not block other calls. */
const maxPerSweep = 200;

const hostPostings = (connection: Connection, postings: PostingSteps): HostPostings => ({
  credit: (posting) => {
    const checked = checkedCredit(posting);
    return connection.joinTransaction(() => postings.credit(checked));
  },
  debit: (posting) => {
    const checked = checkedDebit(posting);
    return connection.joinTransaction(() => postings.debit(checked));
  },
});

function storableAmount(amount: bigint, minimum: bigint): bigint {
  return storableInteger(checkedAmount(amount, minimum));
}
