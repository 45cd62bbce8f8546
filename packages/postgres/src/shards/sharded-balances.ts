import { compareBytes, nextOf } from "@tollgate/core/internal";
import {
  type Account,
  type AccountAdmin,
  type AccountBalance,
  type AccountPage,
  type Allowance,
  type BalanceStore,
  type ChargeReceipt,
  type Credit,
  checkedAccountQuery,
  checkedCredit,
  checkedDebit,
  checkedId,
  type Debit,
  type EndResult,
  type EntryPage,
  type HoldReference,
  type HoldRequest,
  type HoldResult,
  keyLocation,
  type LedgerViolation,
  type NewSpendLimit,
  type PostingResult,
  type Refund,
  type RefundResult,
  type Renewal,
  type SpendQuery,
  type SpendState,
} from "@tollgate/core/store";
import type { PostgresBalances } from "../balance-store.ts";
import type { PostgresClient } from "../pool.ts";
import { readArriving, readFence } from "./fences.ts";
import { postInTransaction } from "./host-postings.ts";
import { type ListOrder, mergePages } from "./merged-pages.ts";
import { findMisplaced } from "./misplaced-accounts.ts";
import { renewOnShards } from "./renewals.ts";
import type { Shard } from "./shard.ts";
import { ShardedNotices } from "./sharded-notices.ts";
import type { Shards } from "./shards.ts";
import { readSpendOf, usedOfKey } from "./spend-sums.ts";

/** The BalanceStore, AccountAdmin and NoticeOutbox over shards. Each call of an account is one call of its shard. */
export class ShardedBalances extends ShardedNotices implements PostgresBalances {
  readonly [keyLocation]: string | undefined;
  readonly #shards: Shards;

  constructor(shards: Shards, location: string | undefined) {
    super(shards);
    this.#shards = shards;
    this[keyLocation] = location;
  }

  hold(request: HoldRequest): Promise<HoldResult> {
    return this.#shards.change(
      request.account,
      ({ balances }) => balances.hold(request),
      // Only a hold that was made has changed something.
      ({ outcome }) => outcome !== "held",
    );
  }

  settle(hold: HoldReference, amount: bigint, receipt: ChargeReceipt | undefined): Promise<EndResult> {
    return this.#shards.changeKnown(hold.account, ({ balances }) => balances.settle(hold, amount, receipt), isUnknown);
  }

  release(hold: HoldReference): Promise<EndResult> {
    return this.#shards.changeKnown(hold.account, ({ balances }) => balances.release(hold), isUnknown);
  }

  renew(renewals: readonly Renewal[], leaseMs: number): Promise<readonly string[]> {
    return renewOnShards(this.#shards, renewals, leaseMs);
  }

  /** Also ends the moves of accounts that killed processes have left. */
  async expire(): Promise<number> {
    const [recovered, expired] = await Promise.allSettled([
      this.#shards.moves.recover(),
      this.#shards.sweep(({ balances }) => balances.expire()),
    ]);
    if (expired.status === "rejected") throw expired.reason;
    if (recovered.status === "rejected") throw recovered.reason;
    return expired.value;
  }

  async credit(posting: Credit): Promise<PostingResult> {
    const { id, account } = checkedCredit(posting);
    return this.#post({ id, account }, () => this.#shards.change(account, ({ balances }) => balances.credit(posting)));
  }

  async debit(posting: Debit): Promise<PostingResult> {
    const { id, account } = checkedDebit(posting);
    return this.#post({ id, account }, () => this.#shards.change(account, ({ balances }) => balances.debit(posting)));
  }

  refund(refund: Refund): Promise<RefundResult> {
    return this.#shards.changeKnown(refund.account, ({ balances }) => balances.refund(refund), isUnknown);
  }

  inTransaction(client: PostgresClient): Pick<BalanceStore, "credit" | "debit"> {
    return {
      credit: async (posting) =>
        postInTransaction(this.#shards, client, checkedCredit(posting), (postings) => postings.credit(posting)),
      debit: async (posting) =>
        postInTransaction(this.#shards, client, checkedDebit(posting), (postings) => postings.debit(posting)),
    };
  }

  balance(account: string, allowance?: Allowance): Promise<AccountBalance> {
    return this.#shards.read(account, ({ balances }) => balances.balance(account, allowance));
  }

  async usedBy(keyId: string): Promise<bigint> {
    return usedOfKey(this.#shards, checkedId("keyId", keyId));
  }

  entries(query: Parameters<BalanceStore["entries"]>[0]): Promise<EntryPage> {
    return this.#shards.read(query.account, ({ balances }) => balances.entries(query));
  }

  /** Checks the ledger of each shard, and that no account has a balance in a shard that is not its own. */
  async verify(): Promise<readonly LedgerViolation[]> {
    const violations = await this.#shards.onAll(verifyShard);
    return [...violations.flat(), ...(await findMisplaced(this.#shards))];
  }

  async listAccounts(query: Parameters<AccountAdmin["listAccounts"]>[0]): Promise<AccountPage> {
    const { limit } = checkedAccountQuery(query);
    const pages = await this.#shards.onAll(async ({ name, balances }) => {
      const { accounts, next } = await balances.listAccounts(query);
      return { shard: name, items: accounts, hasMore: next !== undefined };
    });
    const { items, hasMore } = await mergePages(this.#shards.directory, pages, byId, limit);
    return { accounts: items, ...nextOf(items, items.length + Number(hasMore), ({ id }) => id) };
  }

  findAccount(account: string): Promise<Account | undefined> {
    return this.#shards.read(account, ({ balances }) => balances.findAccount(account));
  }

  limitSpend(account: string, limit: NewSpendLimit | undefined): Promise<void> {
    return this.#shards.change(account, ({ balances }) => balances.limitSpend(account, limit));
  }

  freeze(account: string, reason: string): Promise<void> {
    return this.#shards.change(account, ({ balances }) => balances.freeze(account, reason));
  }

  thaw(account: string): Promise<void> {
    return this.#shards.read(account, ({ balances }) => balances.thaw(account));
  }

  forget(account: string): Promise<number> {
    return this.#shards.read(account, ({ balances }) => balances.forget(account));
  }

  spendOf(queries: readonly SpendQuery[]): Promise<readonly SpendState[]> {
    return readSpendOf(this.#shards, queries);
  }

  onFreeze(listener: (account: string) => void): () => void {
    const removals = this.#shards.all.map(({ balances }) => balances.onFreeze(listener));
    return () => {
      for (const remove of removals) remove();
    };
  }

  /** Posts unless another account has the id: it may be in another shard. */
  async #post(
    { id, account }: Pick<Credit, "id" | "account">,
    post: () => Promise<PostingResult>,
  ): Promise<PostingResult> {
    const isClaimed = await this.#shards.directory.claimPosting(id, account);
    return isClaimed ? post() : { outcome: "conflict" };
  }
}

/** Verifies the ledger of a shard, without the accounts of which it has copies or remains for a move. */
async function verifyShard({ balances, database }: Shard): Promise<readonly LedgerViolation[]> {
  const arriving = await readArriving(database);
  const found = await balances.verify();
  const isOwn = async ({ account }: LedgerViolation): Promise<boolean> =>
    !arriving.has(account) && [undefined, "leaving"].includes(await readFence(database, account));
  const own = await Promise.all(found.map(isOwn));
  return found.filter((_violation, place) => own[place]);
}

const isUnknown = ({ outcome }: { readonly outcome: string }): boolean => outcome === "unknown";

const byId: ListOrder<Account> = {
  compare: (one, other) => compareBytes(one.id, other.id),
  accountOf: ({ id }) => id,
};
