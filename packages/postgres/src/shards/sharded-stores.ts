import type { KeyFormatOptions } from "@tollgate/core";
import { requireKnown, requireMethods } from "@tollgate/core/internal";
import { AuditLogInPostgres } from "../audit-log.ts";
import type { PostgresBalances } from "../balance-store.ts";
import { Database } from "../database.ts";
import { isTransient } from "../database-error.ts";
import { KeyNotifications } from "../key-notifications.ts";
import { LimiterInPostgres } from "../limiter.ts";
import { migratePostgres, migrateSet } from "../migrate.ts";
import type { PostgresListener, PostgresPool } from "../pool.ts";
import { keyChannel } from "../schema.ts";
import type { SliceOptions } from "../slices/slice-options.ts";
import { sliceBalances } from "../slices/sliced-balances.ts";
import type { PostgresStores } from "../stores.ts";
import { AccountDirectory, type ShardInfo } from "./directory.ts";
import { directoryMigrations } from "./directory-tables.ts";
import { Shard } from "./shard.ts";
import { DirectoryShardAdmin, type ShardAdmin } from "./shard-admin.ts";
import { ShardedBalances } from "./sharded-balances.ts";
import { ShardedKeys } from "./sharded-keys.ts";
import { ShardedResponses } from "./sharded-responses.ts";
import { ShardedSessions } from "./sharded-sessions.ts";
import { ShardedTerms } from "./sharded-terms.ts";
import { ShardedUsage } from "./sharded-usage.ts";
import { Shards } from "./shards.ts";

/** The options of {@link shardedStores}. */
export interface ShardedStoresOptions extends KeyFormatOptions {
  /** The database of the directory, the limits and the audit log. It may be that of a shard. */
  readonly directory: PostgresPool;
  /** The database of each shard, by a name that never changes. At most 1,024. */
  readonly shards: Readonly<Record<string, PostgresPool>>;
  /** The schema of the tables in every database. The default is "tollgate". */
  readonly schema?: string;
  /** Whether to migrate the tables of every database first. The default is true. */
  readonly migrate?: boolean;
  /** Whether a hold requires a valid key of the account in its shard. The default is true. Set it to false with another KeyStore. */
  readonly checkKeys?: boolean;
  /** Whether a hold that names terms requires an acceptance in its shard. The default is true. Set it to false with another TermsStore. */
  readonly checkTerms?: boolean;
  /** Returns a connected `Client` of `pg` to a shard, which receives notifications of key changes by other processes. */
  readonly listen?: (shard: string) => Promise<PostgresListener>;
  /** See `postgresStores`. */
  readonly onPartitionFailure?: (error: Error) => void;
  /** See `postgresStores`. */
  readonly slices?: SliceOptions;
}

/** The stores over several databases, to pass to `createGateway`. */
export interface ShardedStores extends PostgresStores {
  /** Lists the shards, opens and closes them, and adopts the accounts of a database that became one. */
  readonly shards: ShardAdmin;
}

/**
 * The stores of {@link postgresStores} for accounts that are spread over several PostgreSQL databases, the shards. Each account
 * has its data in one of them, so a hold still checks its key, its terms and its balance in one statement. A directory in one
 * database knows the shard of each account; a process remembers what it has read of it.
 *
 * While a shard is down, its accounts get 503, others are served, and what needs all shards, such as a list of all accounts,
 * rejects. While the directory is down, accounts that a process remembers are served, unless their keys have limits. A shard that
 * is down when the process starts is used once it is up. Rejects if the directory is down, and if a pool is connected to the
 * database of another shard.
 *
 * @example
 * const stores = await shardedStores({ directory, shards: { a: poolA, b: poolB } });
 */
export async function shardedStores(options: ShardedStoresOptions): Promise<ShardedStores> {
  requireKnown("shardedStores", options, {
    directory: true,
    shards: true,
    schema: true,
    migrate: true,
    checkKeys: true,
    checkTerms: true,
    listen: true,
    onPartitionFailure: true,
    slices: true,
    prefix: true,
    pepper: true,
  });
  const shards = await openShards(options);
  const { database } = shards.directory;
  const location = `the shards of the directory in ${database.location}`;
  const plain: PostgresBalances = new ShardedBalances(shards, options.checkKeys === false ? undefined : location);
  const sliced = options.slices && sliceBalances(plain, options.slices);
  const listeners = await listen(shards, options.listen);
  return {
    keys: new ShardedKeys(shards, location, options),
    balances: sliced?.balances ?? plain,
    terms: new ShardedTerms(shards),
    sessions: new ShardedSessions(shards),
    limiter: new LimiterInPostgres(database),
    responses: new ShardedResponses(shards),
    audit: new AuditLogInPostgres(database),
    usage: new ShardedUsage(shards),
    shards: new DirectoryShardAdmin(shards),
    async close() {
      await Promise.all(listeners.map((listener) => listener.close()));
      await sliced?.close();
    },
  };
}

/** Opens the directory and the shards of it, of which some may be down. */
export async function openShards(options: Omit<ShardedStoresOptions, "listen">): Promise<Shards> {
  const pools = poolsOf(options.shards);
  const database = new Database(options.directory, options.schema);
  if (options.migrate !== false) await migrateDirectory(options.directory, database);
  const directory = new AccountDirectory(database);
  const known = await directory.addShards([...pools.keys()]);
  const shards = known.flatMap((info) => {
    const pool = pools.get(info.name);
    return pool === undefined ? [] : [new Shard(info, pool, options)];
  });
  requireUsed(known, pools);
  await Promise.all(shards.map(prepareUnlessDown));
  return new Shards(directory, shards);
}

async function migrateDirectory(pool: PostgresPool, { tables }: Database): Promise<void> {
  await migratePostgres(pool, { schema: tables.schema });
  await migrateSet(pool, tables, { migrations: directoryMigrations, applied: tables.directoryMigration });
}

async function prepareUnlessDown(shard: Shard): Promise<void> {
  await shard.prepare().catch((error: unknown) => {
    if (!isTransient(error)) throw error;
  });
}

function poolsOf(shards: Readonly<Record<string, PostgresPool>>): ReadonlyMap<string, PostgresPool> {
  const pools = new Map(Object.entries(shards ?? {}));
  if (pools.size === 0)
    throw new TypeError("shardedStores: `shards` must have the pool of each shard by its name: { a: new Pool(...) }.");
  for (const [name, pool] of pools) requireShard(name, pool);
  return pools;
}

function requireShard(name: string, pool: PostgresPool): void {
  requireMethods(
    `The shard "${name}" of shardedStores`,
    pool,
    ["query", "connect"],
    "Pass a Pool of pg: new Pool({ connectionString }).",
  );
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return;
  throw new RangeError(
    `shardedStores: "${name}" cannot be the name of a shard. Use 1 to 64 letters, digits, hyphens and underscores.`,
  );
}

function requireUsed(known: readonly ShardInfo[], pools: ReadonlyMap<string, PostgresPool>): void {
  const missing = known.filter(({ name, isUsed }) => isUsed && !pools.has(name)).map(({ name }) => `"${name}"`);
  if (missing.length === 0) return;
  throw new RangeError(
    `shardedStores: \`shards\` has no pool for ${missing.join(", ")}, which the directory has. Pass every shard that is open for new accounts or has some.`,
  );
}

async function listen(shards: Shards, open: ShardedStoresOptions["listen"]): Promise<readonly KeyNotifications[]> {
  if (open === undefined) return [];
  const listeners = shards.all.map(
    ({ name, keys, database }) => new KeyNotifications(() => open(name), keyChannel(database.tables), keys.notify),
  );
  await Promise.all(listeners.map((listener) => listener.startOrRetry(isTransient)));
  return listeners;
}
