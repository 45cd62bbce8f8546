import { balanceStoreContract, keyStoreContract, sessionStoreContract, sharedStoresContract } from "@tollgate/contract";
import pg from "pg";
import { afterAll, beforeAll, describe, it } from "vitest";
import { transactionPooler } from "../test-support/transaction-pooler.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import {
  type PostgresPool,
  postgresBalanceStore,
  postgresKeyStore,
  postgresSessionStore,
  postgresStores,
} from "./index.ts";

const test = { describe, it };
const int8 = 20;
const timestamptz = 1184;
const jsonb = 3802;
const bool = 16;

describeWithPostgres("a host that parses numbers, dates and JSON in its own way", ({ schema, pool }) => {
  const shared = pool();
  const parsers = [int8, timestamptz, jsonb, bool].map((type) => [type, pg.types.getTypeParser(type)] as const);
  beforeAll(() => {
    pg.types.setTypeParser(int8, Number);
    pg.types.setTypeParser(timestamptz, (text) => `the host's ${text}`);
    pg.types.setTypeParser(jsonb, (text) => `the host's ${text}`);
    pg.types.setTypeParser(bool, (text) => `the host's ${text}`);
  });
  afterAll(() => {
    for (const [type, parser] of parsers) pg.types.setTypeParser(type, parser);
  });

  balanceStoreContract({ test, create: () => ({ store: postgresBalanceStore(shared, { schema }) }) });
  keyStoreContract({ test, create: () => ({ store: postgresKeyStore(shared, { schema }) }) });
  sessionStoreContract({ test, create: () => ({ store: postgresSessionStore(shared, { schema }) }) });
});

describeWithPostgres("a pooler that pools transactions", ({ url, schema }) => {
  const opened: { pool: PostgresPool & { end(): Promise<void> } }[] = [];
  const open = async () => {
    const pool = await transactionPooler(url);
    opened.push({ pool });
    return pool;
  };
  let pools: readonly [PostgresPool, PostgresPool];
  beforeAll(async () => {
    pools = [await open(), await open()];
  });
  afterAll(async () => {
    for (const { pool } of opened) await pool.end();
  });

  balanceStoreContract({
    test,
    create: () => ({
      store: postgresBalanceStore(pools[0], { schema }),
      peer: postgresBalanceStore(pools[1], { schema }),
    }),
  });
  sessionStoreContract({
    test,
    create: () => ({
      store: postgresSessionStore(pools[0], { schema }),
      peer: postgresSessionStore(pools[1], { schema }),
    }),
  });
  sharedStoresContract({
    test,
    create: async () => ({
      store: await postgresStores(pools[0], { schema }),
      peer: await postgresStores(pools[1], { schema }),
    }),
  });
});

for (const isolation of ["repeatable\\ read", "serializable"]) {
  describeWithPostgres(`a database whose transactions are ${isolation}`, ({ schema, pool }) => {
    const options = `-c default_transaction_isolation=${isolation}`;
    const pools = [pool({ options }), pool({ options })] as const;

    balanceStoreContract({
      test,
      create: () => ({
        store: postgresBalanceStore(pools[0], { schema }),
        peer: postgresBalanceStore(pools[1], { schema, batching: false }),
      }),
    });
    sessionStoreContract({
      test,
      create: () => ({
        store: postgresSessionStore(pools[0], { schema }),
        peer: postgresSessionStore(pools[1], { schema }),
      }),
    });
    if (isolation !== "serializable") return;
    sharedStoresContract({
      test,
      create: async () => ({
        store: await postgresStores(pools[0], { schema }),
        peer: await postgresStores(pools[1], { schema }),
      }),
    });
  });
}
