import type { Renewal } from "@tollgate/core/store";
import type { Placement } from "./directory.ts";
import { isFenced } from "./moving-error.ts";
import type { Shards } from "./shards.ts";

/**
 * Renews holds on the shards of their accounts, and returns the ids that were renewed. Those of an account that is moving are left
 * out, and the next call renews them. Rejects if a shard fails, after the others have renewed theirs.
 */
export async function renewOnShards(
  shards: Shards,
  renewals: readonly Renewal[],
  leaseMs: number,
): Promise<readonly string[]> {
  const { directory } = shards;
  const placed = await placeRenewals(renewals, (account) => directory.find(account));
  const renewed = new Set(await renewPlaced(shards, placed, leaseMs));
  const left = renewals.filter(({ id }) => !renewed.has(id));
  const shardBefore = new Map(placed.map(({ renewal, shard }) => [renewal.account, shard]));
  // Most of what is left has ended. The rest is of accounts that have moved since the directory was read.
  const moved = (await placeRenewals(left, (account) => directory.refresh(account))).filter(
    ({ renewal, shard }) => shard !== shardBefore.get(renewal.account),
  );
  for (const id of await renewPlaced(shards, moved, leaseMs)) renewed.add(id);
  return [...renewed];
}

interface PlacedRenewal {
  readonly renewal: Renewal;
  readonly shard: string;
}

async function placeRenewals(
  renewals: readonly Renewal[],
  find: (account: string) => Promise<Placement | undefined>,
): Promise<readonly PlacedRenewal[]> {
  const accounts = [...new Set(renewals.map(({ account }) => account))];
  const found = await Promise.all(accounts.map(async (account) => [account, await find(account)] as const));
  const placements = new Map(found);
  return renewals.flatMap((renewal) => {
    const shard = placements.get(renewal.account)?.shard;
    return shard === undefined ? [] : [{ renewal, shard }];
  });
}

async function renewPlaced(
  shards: Shards,
  placed: readonly PlacedRenewal[],
  leaseMs: number,
): Promise<readonly string[]> {
  const names = [...new Set(placed.map(({ shard }) => shard))];
  const settled = await Promise.allSettled(
    names.map((name) => {
      const own = placed.filter(({ shard }) => shard === name).map(({ renewal }) => renewal);
      const renew = async () => shards.get(name).balances.renew(own, leaseMs);
      // A second statement sees the fence that the first one met, and leaves its account out.
      return renew().catch((error: unknown) => {
        if (isFenced(error)) return renew();
        throw error;
      });
    }),
  );
  return settled.flatMap((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}
