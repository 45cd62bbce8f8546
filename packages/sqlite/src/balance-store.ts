import { type Awaitable, limitsOf, requireKnown } from "@tollgate/core/internal";
import {
  type Account,
  type AccountAdmin,
  type AccountPage,
  amountToHold,
  askedAmounts,
  type Balance,
  type BalanceStore,
  type ChargeReceipt,
  checkedAccount,
  checkedAccountQuery,
  checkedAmount,
  checkedEntryQuery,
  checkedPosting,
  checkedSpendLimit,
  checkedWholeNumber,
  checkHoldAmounts,
  type EndResult,
  type EntryPage,
  type EntryQuery,
  emptyBalance,
  type HoldRequest,
  type HoldResult,
  keyPlace,
  type LedgerViolation,
  leastToHold,
  type NewSpendLimit,
  type Notice,
  type NoticeOutbox,
  type Posting,
  type PostingResult,
  type Renewal,
  type SpendQuery,
  type SpendState,
  toChargeColumns,
  type WaitingNotices,
} from "@tollgate/core/store";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";
import { type HoldCheck, type HoldCheckOptions, holdCheck } from "./hold-check.ts";
import { type Hold, Holds } from "./holds.ts";
import { Ledger } from "./ledger.ts";
import { Notices, toStoredRules } from "./notices.ts";
import { storableInteger } from "./parameters.ts";
import { LedgerCheck } from "./verify-ledger.ts";

/**
 * A BalanceStore in SQLite, on a database that the host opens. {@link sqliteStores} lists the settings it changes.
 * Calls made in one turn of the event loop share one transaction. A call throws after it has waited 5 s for the write
 * lock of another connection. Amounts and balances beyond 2^63 - 1 nano-units throw a RangeError. `verify` reads the
 * whole ledger in one synchronous call, which blocks the process until it returns.
 */
export function sqliteBalanceStore(
  database: SqliteDatabase,
  options: HoldCheckOptions = {},
): BalanceStore & AccountAdmin & NoticeOutbox {
  requireKnown("sqliteBalanceStore", options, { checkKeys: true, checkTerms: true });
  return new BalancesInSqlite(new Connection(database), options);
}

/** The BalanceStore on an open connection. */
export class BalancesInSqlite implements BalanceStore, AccountAdmin, NoticeOutbox {
  readonly [keyPlace]: string | undefined;
  readonly #connection: Connection;
  readonly #check: HoldCheck;
  readonly #holds: Holds;
  readonly #ledger: Ledger;
  readonly #ledgerCheck: LedgerCheck;
  readonly #notices: Notices;

  constructor(connection: Connection, options: HoldCheckOptions) {
    this.#connection = connection;
    this[keyPlace] = options.checkKeys === true ? connection.place : undefined;
    this.#check = holdCheck(connection, options);
    this.#holds = new Holds(connection);
    this.#ledger = new Ledger(connection);
    this.#ledgerCheck = new LedgerCheck(connection);
    this.#notices = new Notices(connection);
  }

  hold(request: HoldRequest): Awaitable<HoldResult> {
    checkHoldAmounts(request);
    storableInteger(request.amount);
    return this.#connection.write(() => this.#hold(request));
  }

  renew(renewals: readonly Renewal[], leaseMs: number): Awaitable<readonly string[]> {
    for (const { used } of renewals) storableAmount(used, 0n);
    if (renewals.length === 0) return [];
    return this.#connection.write(() =>
      renewals.filter(({ id, used }) => this.#holds.renew(id, used, leaseMs)).map(({ id }) => id),
    );
  }

  settle(id: string, amount: bigint, receipt: ChargeReceipt): Awaitable<EndResult> {
    storableAmount(amount, 0n);
    return this.#connection.write(() => this.#settle(id, amount, receipt));
  }

  release(id: string): Awaitable<EndResult> {
    return this.#connection.write(() => this.#release(id));
  }

  expire(): Awaitable<number> {
    return this.#connection.write(() => {
      const due = this.#holds.due(maxExpiredPerSweep);
      for (const hold of due) this.#end(hold, "expired", hold.used);
      return due.length;
    });
  }

  credit(posting: Posting): Awaitable<PostingResult> {
    const checked = checkedPosting(posting);
    return this.#connection.write(() => this.#post("credit", checked, checked.amount));
  }

  debit(posting: Posting): Awaitable<PostingResult> {
    const checked = checkedPosting(posting);
    return this.#connection.write(() => this.#post("debit", checked, -checked.amount));
  }

  balance(account: string): Awaitable<Balance> {
    checkedAccount(account);
    return this.#connection.read(() => this.#ledger.accounts.balance(account));
  }

  entries(query: EntryQuery): Awaitable<EntryPage> {
    const checked = checkedEntryQuery(query);
    return this.#connection.read(() => this.#ledger.entries.page(checked));
  }

  verify(): Awaitable<readonly LedgerViolation[]> {
    return this.#connection.read(() => this.#ledgerCheck.violations());
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
    return this.#connection.read(() => this.#ledger.accounts.page(limit, after, prefix));
  }

  findAccount(account: string): Awaitable<Account | undefined> {
    checkedAccount(account);
    return this.#connection.read(() => this.#ledger.accounts.find(account));
  }

  limitSpend(account: string, limit: NewSpendLimit | undefined): Awaitable<void> {
    checkedAccount(account);
    const checked = limit && checkedSpendLimit(limit);
    return this.#connection.write(() => this.#ledger.accounts.limitSpend(account, checked));
  }

  spendOf(queries: readonly SpendQuery[]): Awaitable<readonly SpendState[]> {
    for (const { limit } of queries) checkedSpendLimit(limit);
    return this.#connection.read(() => queries.map((query) => this.#ledger.spend.state(query)));
  }

  #hold(request: HoldRequest): HoldResult {
    const { account } = request;
    const { accounts, spend } = this.#ledger;
    const existing = this.#holds.find(request.id);
    if (existing !== undefined) {
      if (!isSameHold(existing, request)) return conflict;
      return { outcome: "held", balance: accounts.balance(account), amount: existing.amount };
    }
    const refusal = this.#check(request);
    if (refusal !== undefined) return { outcome: refusal };
    const { balance: before = emptyBalance, spendLimit } = accounts.find(account) ?? {};
    const least = leastToHold(request);
    if (before.available < least) return { outcome: "insufficient", balance: before };
    const limits = limitsOf(request, spendLimit);
    const left = spend.left(limits, before.available, least);
    if (typeof left === "object") return left;
    const amount = amountToHold(request, left);
    const balance = accounts.reserve(account, amount);
    const countedIn = spend.count(limits, amount);
    this.#holds.add(request, amount, countedIn, toStoredRules(request.notices, limits));
    this.#notices.keepLowBalance(account, request.notices);
    return { outcome: "held", balance, amount };
  }

  #settle(id: string, amount: bigint, receipt: ChargeReceipt): EndResult {
    const hold = this.#holds.find(id);
    if (hold === undefined) return { outcome: "unknown" };
    if (hold.state === "settled" && hold.charged === amount) return { outcome: "repeated" };
    if (hold.state === "settled" || hold.state === "released") return conflict;
    this.#end(hold, "settled", amount, receipt);
    return { outcome: hold.state === "expired" ? "late" : "ended" };
  }

  #release(id: string): EndResult {
    const hold = this.#holds.find(id);
    if (hold === undefined) return { outcome: "unknown" };
    if (hold.state === "released") return { outcome: "repeated" };
    if (hold.state !== "pending") return conflict;
    this.#end(hold, "released", 0n);
    return { outcome: "ended" };
  }

  /**
   * Ends a pending hold or settles an expired one, and posts what the charge differs from the hold's earlier charge.
   */
  #end(hold: Hold, state: "settled" | "released" | "expired", charged: bigint, charge?: ChargeReceipt): void {
    const late = hold.state === "expired";
    this.#holds.end(hold.id, state, charged);
    this.#ledger.spend.change(hold.countedIn, charged - (late ? hold.charged : hold.amount), charged - hold.charged);
    const balance = this.#ledger.post({
      account: hold.account,
      kind: late ? "late" : state === "expired" ? "expiry" : "charge",
      amount: hold.charged - charged,
      released: late ? 0n : hold.amount,
      reference: hold.id,
      receipt: { key_id: hold.keyId, ...hold.receipt, ...(charge && toChargeColumns(charge)) },
    });
    if (charged === hold.charged) return;
    this.#notices.afterCharge(hold);
    this.#notices.afterPosting(hold.account, balance);
  }

  #post(kind: "credit" | "debit", { id, account, reason }: Posting, amount: bigint): PostingResult {
    const existing = this.#ledger.entries.posting(id);
    if (existing !== undefined) {
      const same = existing.account === account && existing.amount === amount && existing.reason === reason;
      return same ? { outcome: "repeated", balance: this.#ledger.accounts.balance(account) } : conflict;
    }
    this.#ledger.accounts.open(account);
    const balance = this.#ledger.post({ account, kind, amount, released: 0n, reference: id, reason });
    this.#notices.afterPosting(account, balance);
    return { outcome: "posted", balance };
  }
}

/** A sweep releases the write lock after this many holds, so that a backlog does not block other calls. */
const maxExpiredPerSweep = 200;

const conflict = Object.freeze({ outcome: "conflict" } as const);

function isSameHold(hold: Hold, request: HoldRequest): boolean {
  return hold.account === request.account && hold.keyId === request.keyId && hold.asked === askedAmounts(request);
}

function storableAmount(amount: bigint, minimum: bigint): bigint {
  return storableInteger(checkedAmount(amount, minimum));
}
