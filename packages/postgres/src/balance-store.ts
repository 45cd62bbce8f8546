import { requireKnown } from "@tollgate/core/internal";
import {
  type Account,
  type AccountAdmin,
  type AccountPage,
  type Balance,
  type BalanceStore,
  type ChargeReceipt,
  checkedWholeNumber,
  checkHoldAmounts,
  type EndResult,
  type EntryPage,
  type HoldRequest,
  type HoldResult,
  keyPlace,
  type LedgerViolation,
  type NewSpendLimit,
  type Notice,
  type NoticeOutbox,
  type Posting,
  type PostingResult,
  type Renewal,
  readNotice,
  type SpendQuery,
  type SpendState,
  type WaitingNotices,
} from "@tollgate/core/store";
import { AccountQueues } from "./account-queues.ts";
import { findAccount, limitSpend, listAccounts, readSpend } from "./accounts.ts";
import { BatchRunner } from "./batch-runner.ts";
import { Database } from "./database.ts";
import { HoldAccounts } from "./hold-accounts.ts";
import { type End, Holds } from "./holds.ts";
import { expireHolds, post, readBalance, readEntries, renewHolds, verifyLedger } from "./ledger.ts";
import type { PostgresPool } from "./pool.ts";
import type { Row } from "./row.ts";
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

/**
 * A BalanceStore in PostgreSQL, on tables that {@link migratePostgres} creates. Any number of processes can share it.
 * Concurrent holds, settlements and releases of one account in this process share one statement. When that statement
 * fails, each of these calls rejects, and each can be repeated.
 */
export function postgresBalanceStore(
  pool: PostgresPool,
  options: PostgresBalanceStoreOptions = {},
): BalanceStore & AccountAdmin & NoticeOutbox {
  requireKnown("postgresBalanceStore", options, { schema: true, checkKeys: true, checkTerms: true, batching: true });
  return new BalancesInPostgres(new Database(pool, options.schema), options);
}

// At most 20 MB of ids. A hold that is no longer in this cache is still ended, but not in a batch.
const cachedHolds = 50_000;

/** The BalanceStore on one database. */
export class BalancesInPostgres implements BalanceStore, AccountAdmin, NoticeOutbox {
  readonly [keyPlace]: string | undefined;
  readonly #database: Database;
  readonly #holds: Holds;
  readonly #queues: AccountQueues | undefined;
  readonly #accounts = new HoldAccounts(cachedHolds);

  constructor(database: Database, options: PostgresBalanceStoreOptions) {
    const { checkKeys = false, checkTerms = false, batching = true } = options;
    this.#database = database;
    this[keyPlace] = checkKeys ? database.place : undefined;
    this.#holds = new Holds(database, { key: checkKeys, terms: checkTerms });
    this.#queues = batching ? new AccountQueues(new BatchRunner(this.#holds).run) : undefined;
  }

  async hold(request: HoldRequest): Promise<HoldResult> {
    checkHoldAmounts(request);
    storableAmount(request.amount, 0n);
    // Results are matched by id. An id that PostgreSQL changed would never match, and the call would be retried
    // forever.
    storableText(request.id);
    const queues = this.#queues;
    if (queues === undefined) return this.#holdAlone(request);
    const { id, account } = request;
    this.#accounts.remember(id, account);
    const result = await new Promise<HoldResult>((resolve, reject) =>
      queues.add(account, { verb: "hold", id, request, resolve, reject }),
    );
    if (result.outcome !== "held") this.#accounts.forget(id);
    return result;
  }

  async settle(id: string, amount: bigint, receipt: ChargeReceipt): Promise<EndResult> {
    return this.#end({ id, state: "settled", charge: storableAmount(amount, 0n), receipt });
  }

  async release(id: string): Promise<EndResult> {
    return this.#end({ id, state: "released", charge: 0n });
  }

  async renew(renewals: readonly Renewal[], leaseMs: number): Promise<readonly string[]> {
    return renewHolds(this.#database, renewals, leaseMs);
  }

  async expire(): Promise<number> {
    return expireHolds(this.#database);
  }

  async credit(posting: Posting): Promise<PostingResult> {
    return post(this.#database, "credit", posting);
  }

  async debit(posting: Posting): Promise<PostingResult> {
    return post(this.#database, "debit", posting);
  }

  async balance(account: string): Promise<Balance> {
    return readBalance(this.#database, account);
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

  async #end(end: End): Promise<EndResult> {
    const { id } = end;
    const account = this.#accounts.get(id);
    const queues = this.#queues;
    if (queues === undefined || account === undefined) return this.#holds.end(end);
    const result = await new Promise<EndResult>((resolve, reject) =>
      queues.add(account, { verb: "end", id, end, resolve, reject }),
    );
    this.#accounts.forget(id);
    return result;
  }
}

const toNotice = (row: Row): Notice =>
  readNotice(row, { account: row.text("account_id"), at: row.time("at"), resetsAt: row.optionalTime("resets_at") });
