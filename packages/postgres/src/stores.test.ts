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

import { describe, it } from "vitest";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import {
  type PostgresPool,
  postgresAuditLog,
  postgresBalanceStore,
  postgresKeyStore,
  postgresLimiter,
  postgresResponseStore,
  postgresSessionStore,
  postgresStores,
  postgresTermsStore,
  postgresUsageStore,
} from "./index.ts";

const test = { describe, it };

for (const max of [10, 1]) {
  describeWithPostgres(`on pools of at most ${max} connections`, ({ schema, pool }) => {
    const pools = [pool({ max }), pool({ max })] as const;

    balanceStoreContract({ test, create: () => onBoth(postgresBalanceStore) });
    accountAdminContract({ test, create: () => onBoth(postgresBalanceStore) });
    noticeOutboxContract({ test, create: () => onBoth(postgresBalanceStore) });
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
      create: async () => ({
        store: await postgresStores(pools[0], { schema }),
        peer: await postgresStores(pools[1], { schema }),
      }),
    });

    function onBoth<Store>(make: (pool: PostgresPool, options: { schema: string }) => Store) {
      return { store: make(pools[0], { schema }), peer: make(pools[1], { schema }) };
    }
  });
}
