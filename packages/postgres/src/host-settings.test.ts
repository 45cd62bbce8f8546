import {
  balanceStoreContract,
  keyStoreContract,
  limiterContract,
  responseStoreContract,
  sessionStoreContract,
  sharedStoresContract,
} from "@tollgate/contract";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transactionPooler } from "../test-support/transaction-pooler.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import {
  type PostgresPool,
  postgresBalanceStore,
  postgresKeyStore,
  postgresLimiter,
  postgresResponseStore,
  postgresSessionStore,
  postgresStores,
} from "./index.ts";

const test = { describe, it };
const int8 = 20;
const timestamptz = 1184;
const jsonb = 3802;
const bool = 16;
const float8 = 701;

/** How a host connects to its database: through a transaction pooler or directly, and with which default isolation. */
interface Settings {
  readonly pooled: boolean;
  readonly isolation: "read committed" | "repeatable read" | "serializable";
}

const all: readonly Settings[] = [
  { pooled: true, isolation: "read committed" },
  { pooled: true, isolation: "repeatable read" },
  { pooled: true, isolation: "serializable" },
  { pooled: false, isolation: "repeatable read" },
  { pooled: false, isolation: "serializable" },
];
/** The strictest setting includes the demands of the others. With FAULTS=long, every setting is tested. */
const tested = process.env["FAULTS"] === "long" ? all : all.slice(2, 3);

for (const { pooled, isolation } of tested) {
  const title = `a host with its own type parsers, ${isolation} transactions, ${pooled ? "through a" : "without a"} pooler`;
  describeWithPostgres(title, (database) => {
    const { schema } = database;
    const options = `-c synchronous_commit=off -c default_transaction_isolation=${isolation.replace(" ", "\\ ")}`;
    const poolers: { end(): Promise<void> }[] = [];
    const open = async (): Promise<PostgresPool> => {
      if (!pooled) return database.pool({ options });
      const pooler = await transactionPooler(`${database.url}?${new URLSearchParams({ options })}`);
      poolers.push(pooler);
      return pooler;
    };
    const parsers = [int8, timestamptz, jsonb, bool, float8].map(
      (type) => [type, pg.types.getTypeParser(type)] as const,
    );
    let pools: readonly [PostgresPool, PostgresPool];
    beforeAll(async () => {
      pg.types.setTypeParser(int8, Number);
      for (const [type] of parsers.slice(1)) pg.types.setTypeParser(type, (text) => `the host's ${text}`);
      pools = [await open(), await open()];
    });
    afterAll(async () => {
      for (const [type, parser] of parsers) pg.types.setTypeParser(type, parser);
      for (const pooler of poolers) await pooler.end();
    });

    it("are the default of each connection", async () => {
      for (const pool of pools) {
        const { rows } = await pool.query({ text: "SHOW transaction_isolation", values: [] });
        expect(rows).toEqual([{ transaction_isolation: isolation }]);
      }
    });
    balanceStoreContract({
      test,
      create: () => ({
        store: postgresBalanceStore(pools[0], { schema }),
        peer: postgresBalanceStore(pools[1], { schema, batching: pooled }),
      }),
    });
    keyStoreContract({ test, create: () => ({ store: postgresKeyStore(pools[0], { schema }) }) });
    limiterContract({
      test,
      create: () => ({
        store: postgresLimiter(pools[0], { schema }),
        peer: postgresLimiter(pools[1], { schema }),
      }),
    });
    sessionStoreContract({
      test,
      create: () => ({
        store: postgresSessionStore(pools[0], { schema }),
        peer: postgresSessionStore(pools[1], { schema }),
      }),
    });
    responseStoreContract({
      test,
      create: () => ({
        store: postgresResponseStore(pools[0], { schema }),
        peer: postgresResponseStore(pools[1], { schema }),
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
}
