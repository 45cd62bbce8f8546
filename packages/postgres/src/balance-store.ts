import type {
  Balance,
  BalanceStore,
  EndResult,
  EntryPage,
  HoldRequest,
  HoldResult,
  LedgerViolation,
  Posting,
  PostingResult,
  Renewal,
} from "@tollgate/core/store";
import { keyPlace } from "@tollgate/core/store";
import { AccountQueues } from "./account-queues.ts";
import { storableAmount } from "./amount.ts";
import { BatchRunner } from "./batch-runner.ts";
import { Database } from "./database.ts";
import { HoldAccounts } from "./hold-accounts.ts";
import { type End, Holds } from "./holds.ts";
import { expireHolds, renewHolds } from "./leases.ts";
import { readBalance, readEntries, verifyLedger } from "./ledger-reader.ts";
import type { PostgresPool } from "./pool.ts";
import { bookPosting } from "./postings.ts";
import { storableText } from "./text.ts";

/** Where a balance store keeps its tables, and what its holds are checked against. */
export interface PostgresBalanceStoreOptions {
  /** "tollgate" when absent. */
  readonly schema?: string;
  /** Whether a hold needs a good key of the account in the same schema; false when absent. */
  readonly checkKeys?: boolean;
  /** Whether a hold needs an acceptance in the same schema when it names terms; false when absent. */
  readonly checkTerms?: boolean;
  /** Whether calls on one account that meet go together; true when absent. False is for measuring what it brings. */
  readonly batching?: boolean;
}

/**
 * A BalanceStore in PostgreSQL, whose tables {@link migratePostgres} has made. Any number of processes may share it.
 * Holds, settlements and releases of one account that meet in this process go together in one statement; when the
 * database fails it, each of them throws, and each can be asked again.
 */
export function postgresBalanceStore(pool: PostgresPool, options: PostgresBalanceStoreOptions = {}): BalanceStore {
  return new BalancesInPostgres(new Database(pool, options.schema), options);
}

// Some 20 MB of ids at most. A hold that was forgotten is ended all the same, only not in a batch.
const rememberedHolds = 50_000;

/** The BalanceStore of one database. */
export class BalancesInPostgres implements BalanceStore {
  readonly [keyPlace]: string | undefined;
  readonly #database: Database;
  readonly #holds: Holds;
  readonly #queues: AccountQueues | undefined;
  readonly #accounts = new HoldAccounts(rememberedHolds);

  constructor(database: Database, options: PostgresBalanceStoreOptions) {
    const { checkKeys = false, checkTerms = false, batching = true } = options;
    this.#database = database;
    this[keyPlace] = checkKeys ? database.place : undefined;
    this.#holds = new Holds(database, { key: checkKeys, terms: checkTerms });
    this.#queues = batching ? new AccountQueues(new BatchRunner(this.#holds).run) : undefined;
  }

  async hold(request: HoldRequest): Promise<HoldResult> {
    storableAmount(request.amount, 0n);
    // Answers are told apart by the id: one that came back changed would be asked for again and again.
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

  async settle(id: string, amount: bigint): Promise<EndResult> {
    return this.#end({ id, state: "settled", charge: storableAmount(amount, 0n) });
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
    return bookPosting(this.#database, "credit", posting);
  }

  async debit(posting: Posting): Promise<PostingResult> {
    return bookPosting(this.#database, "debit", posting);
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

  async #holdAlone(request: HoldRequest): Promise<HoldResult> {
    for (;;) {
      const answer = await this.#holds.hold(request);
      if (answer !== undefined) return answer;
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
