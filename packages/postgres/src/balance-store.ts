import { requireKnown, type TextRow } from "@tollgate/core/internal";
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
  checkedReason,
  checkedWholeNumber,
  checkHoldAmounts,
  type Debit,
  type EndResult,
  type EntryPage,
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
  readNotice,
  type SpendQuery,
  type SpendState,
  type WaitingNotices,
} from "@tollgate/core/store";
import { AccountQueues } from "./account-queues.ts";
import { findAccount, forgetCharges, limitSpend, listAccounts, readBalance, readSpend } from "./accounts.ts";
import { allowanceText } from "./allowances.ts";
import { BatchRunner } from "./batch-runner.ts";
import { Database } from "./database.ts";
import { type End, Holds } from "./holds.ts";
import { HostTransaction } from "./host-transaction.ts";
import { expireHolds, readEntries, readKeyUsage, renewHolds, verifyLedger } from "./ledger.ts";
import { ledgerSchema } from "./ledger-schema.ts";
import type { PostgresClient, PostgresPool } from "./pool.ts";
import { postCredit, postDebit, refundCharge } from "./postings.ts";
import { freezeStatement, thawStatement } from "./statements/freezing.ts";
import {
  claimNoticesStatement,
  finishNoticeStatement,
  postponeNoticeStatement,
  waitingNoticesStatement,
} from "./statements/notices.ts";
import { storableAmount, storableText } from "./storable-values.ts";

/** The options of {@link postgresBalanceStore}. */
export interface PostgresBalanceStoreOptions {
  /** The schema of the tables. The default is "tollgate". */
  readonly schema?: string;
  /** Whether a hold requires a valid key of the account in the same schema. The default is false. */
  readonly checkKeys?: boolean;
  /** Whether a hold that names terms requires an acceptance in the same schema. The default is false. */
  readonly checkTerms?: boolean;
  /**
   * Whether concurrent calls on one account share a statement. The default is true. Set it to false to measure the
   * difference.
   */
  readonly batching?: boolean;
}

/** The balances in PostgreSQL. */
export interface PostgresBalances extends BalanceStore, AccountAdmin, NoticeOutbox {
  /**
   * Returns credits and debits as a part of the transaction that the host has begun on a client of `pg`: they are posted when the
   * host commits, and not if it rolls back. The account stays locked until then, and its other calls wait, so post last. Each
   * rejects outside of a transaction.
   *
   * @example
   * await client.query("BEGIN");
   * await client.query("INSERT INTO orders (id, paid) VALUES ($1, true)", [order.id]);
   * await balances.inTransaction(client).credit({ id: order.id, account, amount: "20.00", reason: "order" });
   * await client.query("COMMIT");
   */
  inTransaction(client: PostgresClient): Pick<BalanceStore, "credit" | "debit">;
}

/**
 * A BalanceStore in PostgreSQL, on tables that {@link migratePostgres} creates. Any number of processes can share it.
 * Concurrent holds, settlements and releases of one account in this process share one statement. When that statement
 * fails, each of these calls rejects, and each can be repeated.
 */
export function postgresBalanceStore(pool: PostgresPool, options: PostgresBalanceStoreOptions = {}): PostgresBalances {
  requireKnown("postgresBalanceStore", options, { schema: true, checkKeys: true, checkTerms: true, batching: true });
  return new BalancesInPostgres(new Database(pool, options.schema), options);
}

/** The BalanceStore on one database. */
export class BalancesInPostgres implements PostgresBalances {
  readonly [keyLocation]: string | undefined;
  readonly [ledgerSchema]: string;
  readonly #database: Database;
  readonly #holds: Holds;
  readonly #queues: AccountQueues | undefined;
  readonly #freezes = new ChangeListeners<string>();
  readonly onFreeze = this.#freezes.add;

  constructor(database: Database, options: PostgresBalanceStoreOptions) {
    const { checkKeys = false, checkTerms = false, batching = true } = options;
    this.#database = database;
    this[keyLocation] = checkKeys ? database.location : undefined;
    this[ledgerSchema] = database.tables.schema;
    this.#holds = new Holds(database, { key: checkKeys, terms: checkTerms });
    this.#queues = batching ? new AccountQueues(new BatchRunner(this.#holds).run) : undefined;
  }

  async hold(request: HoldRequest): Promise<HoldResult> {
    checkHoldAmounts(request);
    allowanceText(request);
    storableAmount(request.amount, 0n);
    // Results are matched by id. An id that PostgreSQL changed would never match, and the call would be retried
    // forever.
    storableText(request.id);
    const queues = this.#queues;
    if (queues === undefined) return this.#holdAlone(request);
    const { id, account } = request;
    return new Promise((resolve, reject) => queues.add(account, { verb: "hold", id, request, resolve, reject }));
  }

  async settle({ id, account }: HoldReference, amount: bigint, receipt: ChargeReceipt | undefined): Promise<EndResult> {
    return this.#end(account, { id, state: "settled", charge: storableAmount(amount, 0n), receipt });
  }

  async release({ id, account }: HoldReference): Promise<EndResult> {
    return this.#end(account, { id, state: "released", charge: 0n });
  }

  async renew(renewals: readonly Renewal[], leaseMs: number): Promise<readonly string[]> {
    return renewHolds(this.#database, renewals, leaseMs);
  }

  async expire(): Promise<number> {
    return expireHolds(this.#database);
  }

  async credit(posting: Credit): Promise<PostingResult> {
    return postCredit(this.#database, posting);
  }

  async debit(posting: Debit): Promise<PostingResult> {
    return postDebit(this.#database, posting);
  }

  async refund(refund: Refund): Promise<RefundResult> {
    return refundCharge(this.#database, refund);
  }

  inTransaction(client: PostgresClient): Pick<BalanceStore, "credit" | "debit"> {
    const transaction = new HostTransaction(client, this.#database.tables);
    return {
      credit: async (posting) => postCredit(transaction, posting),
      debit: async (posting) => postDebit(transaction, posting),
    };
  }

  async balance(account: string, allowance?: Allowance): Promise<AccountBalance> {
    return readBalance(this.#database, account, allowance);
  }

  async usedBy(keyId: string): Promise<bigint> {
    return readKeyUsage(this.#database, keyId);
  }

  async entries(query: Parameters<BalanceStore["entries"]>[0]): Promise<EntryPage> {
    return readEntries(this.#database, query);
  }

  async verify(): Promise<readonly LedgerViolation[]> {
    return verifyLedger(this.#database);
  }

  async listAccounts(query: Parameters<AccountAdmin["listAccounts"]>[0]): Promise<AccountPage> {
    return listAccounts(this.#database, query);
  }

  async findAccount(account: string): Promise<Account | undefined> {
    return findAccount(this.#database, account);
  }

  async limitSpend(account: string, limit: NewSpendLimit | undefined): Promise<void> {
    return limitSpend(this.#database, account, limit);
  }

  async freeze(account: string, reason: string): Promise<void> {
    await this.#database.run(freezeStatement, [checkedAccount(account), checkedReason(reason)]);
    this.#freezes.notify(account);
  }

  async thaw(account: string): Promise<void> {
    await this.#database.run(thawStatement, [checkedAccount(account)]);
    this.#freezes.notify(account);
  }

  async forget(account: string): Promise<number> {
    return forgetCharges(this.#database, checkedAccount(account));
  }

  async spendOf(queries: readonly SpendQuery[]): Promise<readonly SpendState[]> {
    return readSpend(this.#database, queries);
  }

  async claimNotices({
    limit,
    leaseMs,
  }: {
    readonly limit: number;
    readonly leaseMs: number;
  }): Promise<readonly Notice[]> {
    const rows = await this.#database.run(claimNoticesStatement, [checkedWholeNumber("limit", limit, 1), leaseMs]);
    return rows.map(toNotice);
  }

  async postponeNotice(
    id: string,
    { delayMs, delivered }: Parameters<NoticeOutbox["postponeNotice"]>[1],
  ): Promise<void> {
    await this.#database.run(postponeNoticeStatement, [id, delayMs, JSON.stringify(delivered)]);
  }

  async finishNotice(id: string): Promise<void> {
    await this.#database.run(finishNoticeStatement, [id]);
  }

  async waitingNotices(): Promise<WaitingNotices> {
    const row = await this.#database.runForOne(waitingNoticesStatement, []);
    const oldestAt = row.optionalTime("oldest_at");
    return { count: Number(row.text("count")), ...(oldestAt === undefined ? {} : { oldestAt }) };
  }

  async #holdAlone(request: HoldRequest): Promise<HoldResult> {
    for (;;) {
      const result = await this.#holds.hold(request);
      if (result !== undefined) return result;
    }
  }

  async #end(account: string, end: End): Promise<EndResult> {
    const queues = this.#queues;
    if (queues === undefined) return this.#holds.end(account, end);
    return new Promise((resolve, reject) => queues.add(account, { verb: "end", id: end.id, end, resolve, reject }));
  }
}

const toNotice = (row: TextRow): Notice =>
  readNotice(row, {
    account: row.text("account_id"),
    at: row.time("at"),
    resetsAt: row.optionalTime("resets_at"),
    expiresAt: row.optionalTime("expires_at"),
  });
