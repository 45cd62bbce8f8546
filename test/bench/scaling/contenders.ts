import type { BalanceStore } from "@tollgate/core/store";
import { migratePostgres, type PostgresPool, postgresBalanceStore } from "@tollgate/postgres";
import pg from "pg";
import { chargeReceipt } from "../../../packages/core/test-support/receipts.ts";
import { AllowanceBalanceStore, type RequestStore } from "./allowance-balance-store.ts";
import { shardedBalanceStore } from "./sharded-balance-store.ts";

/** An arrangement that is measured. */
export type ScalingName = "one database" | "two databases" | "allowances on one database";

/** Stores for requests and for credits, the statements that they have sent, and what removes them. */
export interface Arrangement {
  readonly requests: RequestStore;
  readonly accounts: BalanceStore;
  statements(): number;
  close(): Promise<void>;
}

const databaseUrl = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** A store in a database that exists only for it. */
interface Shard {
  readonly store: BalanceStore;
  statements(): number;
  close(): Promise<void>;
}

async function openShard(connections: number): Promise<Shard> {
  const name = `bench_${crypto.randomUUID().slice(0, 8)}`;
  const server = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: connections }).on("error", () => undefined);
  await migratePostgres(pool);
  let statements = 0;
  const counting: PostgresPool = {
    query(statement) {
      statements += 1;
      return pool.query(statement);
    },
    connect: () => pool.connect(),
  };
  return {
    store: postgresBalanceStore(counting),
    statements: () => statements,
    async close() {
      await pool.end();
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.end();
    },
  };
}

/** Opens an arrangement, whose databases are empty, with 16 connections in total. */
export const openArrangement: Readonly<Record<ScalingName, () => Promise<Arrangement>>> = {
  async "one database"() {
    const shard = await openShard(16);
    return { ...shard, requests: shard.store, accounts: shard.store };
  },
  async "two databases"() {
    const shards = await Promise.all([openShard(8), openShard(8)]);
    const store = shardedBalanceStore(
      shards.map((shard) => shard.store),
      // A host would keep the shard of an account in a table, so that accounts can be moved.
      (account) => Number(account.replace(/\D/g, "")) % shards.length,
    );
    return {
      requests: store,
      accounts: store,
      statements: () => shards.reduce((sum, shard) => sum + shard.statements(), 0),
      async close() {
        await Promise.all(shards.map(async (shard) => shard.close()));
      },
    };
  },
  async "allowances on one database"() {
    const shard = await openShard(16);
    const options = { amount: 1_000_000n, leaseMs: 60_000, receipt: chargeReceipt };
    return { ...shard, requests: new AllowanceBalanceStore(shard.store, options), accounts: shard.store };
  },
};
