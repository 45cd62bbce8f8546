import {
  accountAdminContract,
  auditLogContract,
  balanceStoreContract,
  keyStoreContract,
  limiterContract,
  noticeOutboxContract,
  responseStoreContract,
  sessionAdminContract,
  sessionStoreContract,
  sharedStoresContract,
  termsAdminContract,
  termsStoreContract,
  usageStoreContract,
} from "@tollgate/contract";
import type { ShardedStores } from "@tollgate/postgres";
import { beforeAll, describe, it } from "vitest";
import { form } from "../../faults/form.ts";
import { type Clusters, slowMs } from "./clusters.ts";

/** Cases about one id of two accounts, which may be in different shards. The gateway makes these ids, as UUIDs. */
const ofOneDatabase = new Set([
  "hold: the same id with different content is a conflict and has no effect",
  "create and find: the id of another account's session throws",
  "save and find: the id of another account's response throws and changes nothing",
]);

const test = { describe, it };

/** Leaves the cases of {@link ofOneDatabase} out. */
const testWithinShards = {
  describe: (group: string, body: () => void) => {
    describe(group, () => {
      testWithinShards.group = group;
      body();
    });
  },
  it: (name: string, body: () => Promise<void>) => {
    if (!ofOneDatabase.has(`${testWithinShards.group}: ${name}`)) it(name, body);
  },
  group: "",
};

/** Registers the contract suites for two processes that share three clusters. */
export function shardContracts(clusters: Clusters): void {
  let checked: readonly [ShardedStores, ShardedStores];
  let unchecked: readonly [ShardedStores, ShardedStores];
  beforeAll(async () => {
    const open = (checks: boolean) => clusters.open("contracts", { checkKeys: checks, checkTerms: checks });
    checked = [await open(true), await open(true)];
    unchecked = [await open(false), await open(false)];
  }, slowMs);
  const onBoth =
    <Store>(choose: (stores: ShardedStores) => Store) =>
    () => ({ store: choose(unchecked[0]), peer: choose(unchecked[1]) });
  balanceStoreContract({ test: testWithinShards, create: onBoth(({ balances }) => balances) });
  accountAdminContract({ test, create: onBoth(({ balances }) => balances) });
  keyStoreContract({ test, create: onBoth(({ keys }) => keys) });
  usageStoreContract({ test, create: onBoth(({ usage }) => usage) });
  sharedStoresContract({ test, create: () => ({ store: checked[0], peer: checked[1] }) });
  if (form !== "long") return;
  noticeOutboxContract({ test, create: onBoth(({ balances }) => balances) });
  limiterContract({ test, create: onBoth(({ limiter }) => limiter) });
  termsStoreContract({ test, create: onBoth(({ terms }) => terms) });
  termsAdminContract({ test, create: onBoth(({ terms }) => terms) });
  sessionStoreContract({ test: testWithinShards, create: onBoth(({ sessions }) => sessions) });
  sessionAdminContract({ test, create: onBoth(({ sessions }) => sessions) });
  responseStoreContract({ test: testWithinShards, create: onBoth(({ responses }) => responses) });
  auditLogContract({ test, create: onBoth(({ audit }) => audit) });
}
