import type { BalanceStore, EndResult } from "@tollgate/core/store";

/** Returns the place of the shard that has an account. */
export type ShardOf = (account: string) => number;

/**
 * Returns a BalanceStore whose accounts are spread over several. Holds and entries never cross accounts, so each call of an
 * account is one call of its shard, which is as atomic as before. A hold is ended by its id alone: the process that placed
 * it knows its shard, and any other process asks all of them.
 */
export function shardedBalanceStore(shards: readonly BalanceStore[], shardOf: ShardOf): BalanceStore {
  const ofAccount = (account: string): BalanceStore => {
    const shard = shards[shardOf(account)];
    if (shard === undefined)
      throw new Error(`Account ${account} has no shard. Return a place from 0 to ${shards.length - 1}.`);
    return shard;
  };
  const ofHold = new Map<string, BalanceStore>();
  const end = async (
    id: string,
    call: (shard: BalanceStore) => ReturnType<BalanceStore["release"]>,
  ): Promise<EndResult> => {
    const known = ofHold.get(id);
    ofHold.delete(id);
    if (known !== undefined) return await call(known);
    const results = await Promise.all(shards.map(async (shard) => call(shard)));
    return results.find(({ outcome }) => outcome !== "unknown") ?? { outcome: "unknown" };
  };
  return {
    async hold(request) {
      const shard = ofAccount(request.account);
      // Other processes do not notice that the id is taken. Ids are random UUIDs, so it never is.
      if ((ofHold.get(request.id) ?? shard) !== shard) return { outcome: "conflict" };
      const result = await shard.hold(request);
      if (result.outcome === "held") ofHold.set(request.id, shard);
      return result;
    },
    settle: async (id, amount, receipt) => end(id, (shard) => shard.settle(id, amount, receipt)),
    release: async (id) => end(id, (shard) => shard.release(id)),
    async renew(renewals, leaseMs) {
      const renewed = await Promise.all(
        shards.map(async (shard) => {
          const own = renewals.filter(({ id }) => (ofHold.get(id) ?? shard) === shard);
          return own.length === 0 ? [] : shard.renew(own, leaseMs);
        }),
      );
      return renewed.flat();
    },
    async expire() {
      const ended = await Promise.all(shards.map(async (shard) => shard.expire()));
      return ended.reduce((sum, count) => sum + count, 0);
    },
    credit: async (posting) => ofAccount(posting.account).credit(posting),
    debit: async (posting) => ofAccount(posting.account).debit(posting),
    balance: async (account) => ofAccount(account).balance(account),
    entries: async (query) => ofAccount(query.account).entries(query),
    async verify() {
      return (await Promise.all(shards.map(async (shard) => shard.verify()))).flat();
    },
  };
}
