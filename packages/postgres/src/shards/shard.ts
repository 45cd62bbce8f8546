import type { KeyFormatOptions } from "@tollgate/core";
import { BalancesInPostgres } from "../balance-store.ts";
import { Database } from "../database.ts";
import { KeysInPostgres } from "../key-store.ts";
import { migratePostgres, migrateSet } from "../migrate.ts";
import type { PostgresPool } from "../pool.ts";
import { ResponsesInPostgres } from "../response-store.ts";
import { SessionsInPostgres } from "../session-store.ts";
import { TermsInPostgres } from "../terms-store.ts";
import { UsageInPostgres } from "../usage-store.ts";
import type { ShardInfo } from "./directory.ts";
import { numberRowsStatement } from "./numbering.ts";
import { shardMigrations } from "./shard-migrations.ts";
import { nameShardStatement, readShardStatement } from "./shard-statements.ts";

/** The options of the stores of a shard. */
export interface ShardOptions extends KeyFormatOptions {
  readonly schema?: string;
  readonly migrate?: boolean;
  readonly checkKeys?: boolean;
  readonly checkTerms?: boolean;
  readonly onPartitionFailure?: (error: Error) => void;
}

/** One database of a sharded system, and its stores. The first call of a store prepares the database. */
export class Shard {
  readonly name: string;
  readonly number: number;
  readonly database: Database;
  readonly keys: KeysInPostgres;
  readonly balances: BalancesInPostgres;
  readonly terms: TermsInPostgres;
  readonly sessions: SessionsInPostgres;
  readonly responses: ResponsesInPostgres;
  readonly usage: UsageInPostgres;
  /** Migrates the database if it was not, and rejects unless it is that of this shard. */
  readonly prepare: () => Promise<void>;

  constructor(info: ShardInfo, pool: PostgresPool, options: ShardOptions) {
    this.name = info.name;
    this.number = info.number;
    this.prepare = onceResolved(() => prepareShard(info, pool, options));
    const prepared = preparedPool(pool, this.prepare);
    this.database = new Database(prepared, options.schema, true);
    this.keys = new KeysInPostgres(this.database, options);
    const { checkKeys = true, checkTerms = true } = options;
    this.balances = new BalancesInPostgres(this.database, { checkKeys, checkTerms });
    this.terms = new TermsInPostgres(this.database);
    this.sessions = new SessionsInPostgres(this.database);
    this.responses = new ResponsesInPostgres(this.database);
    this.usage = new UsageInPostgres(prepared, this.database, options.onPartitionFailure);
  }
}

async function prepareShard(info: ShardInfo, pool: PostgresPool, { schema, migrate }: ShardOptions): Promise<void> {
  const database = new Database(pool, schema, true);
  if (migrate !== false) await migrateShard(info, pool, database);
  const [self] = await database.run(readShardStatement, []);
  if (self?.text("name") === info.name && self.text("token") === info.token) return;
  const found = self === undefined ? "no shard yet" : `the shard "${self.text("name")}" of this or another directory`;
  throw new Error(
    `The pool of the shard "${info.name}" is connected to the database of ${found}. Pass each shard its own pool, and the directory that the shards were added to.`,
  );
}

async function migrateShard(info: ShardInfo, pool: PostgresPool, database: Database): Promise<void> {
  const { tables } = database;
  await migratePostgres(pool, { schema: tables.schema });
  await migrateSet(pool, tables, { migrations: shardMigrations, applied: tables.shardMigration });
  await database.transaction(async (run) => {
    const named = await run(nameShardStatement, [info.name, info.token]);
    if (named.length > 0) await run(numberRowsStatement, [info.number]);
  });
}

/** Runs an attempt until it has once resolved. Concurrent calls share it. */
function onceResolved(attempt: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= attempt().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}

/** A pool whose statements wait until its database is prepared. So a shard that was down at the start is used once it is up. */
const preparedPool = (pool: PostgresPool, prepare: () => Promise<void>): PostgresPool => ({
  query: (statement) => prepare().then(() => pool.query(statement)),
  connect: () => prepare().then(() => pool.connect()),
});
