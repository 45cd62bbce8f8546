import {
  accountAdminContract,
  auditLogContract,
  balanceStoreContract,
  entryFeedContract,
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
import { describe, it } from "vitest";
import {
  type PostgresPool,
  postgresAuditLog,
  postgresBalanceStore,
  postgresEntryFeed,
  postgresKeyStore,
  postgresLimiter,
  postgresResponseStore,
  postgresSessionStore,
  postgresStores,
  postgresTermsStore,
  postgresUsageStore,
} from "../src/index.ts";

const test = { describe, it };

/** Registers the contract suites of all stores, for two processes that share a schema, each with one of the pools. */
export function storeContracts(schema: string, pools: () => readonly [PostgresPool, PostgresPool]): void {
  const onBoth = <Store>(make: (pool: PostgresPool, options: { schema: string }) => Store) => {
    const [own, other] = pools();
    return { store: make(own, { schema }), peer: make(other, { schema }) };
  };
  balanceStoreContract({ test, create: () => onBoth(postgresBalanceStore) });
  accountAdminContract({ test, create: () => onBoth(postgresBalanceStore) });
  noticeOutboxContract({ test, create: () => onBoth(postgresBalanceStore) });
  entryFeedContract({
    test,
    create: () =>
      onBoth((pool, options) => ({
        feed: postgresEntryFeed(pool, options),
        balances: postgresBalanceStore(pool, options),
      })),
  });
  keyStoreContract({ test, create: () => onBoth(postgresKeyStore) });
  limiterContract({ test, create: () => onBoth(postgresLimiter) });
  termsStoreContract({ test, create: () => onBoth(postgresTermsStore) });
  sessionStoreContract({ test, create: () => onBoth(postgresSessionStore) });
  responseStoreContract({ test, create: () => onBoth(postgresResponseStore) });
  termsAdminContract({ test, create: () => onBoth(postgresTermsStore) });
  sessionAdminContract({ test, create: () => onBoth(postgresSessionStore) });
  auditLogContract({ test, create: () => onBoth(postgresAuditLog) });
  usageStoreContract({ test, create: () => onBoth(postgresUsageStore) });
  sharedStoresContract({
    test,
    create: async () => {
      const { store, peer } = onBoth(postgresStores);
      return { store: await store, peer: await peer };
    },
  });
}
