import { requireKnown } from "@tollgate/core/internal";
import { checkedWholeNumber } from "@tollgate/core/store";
import type { ClickHouseClient } from "./client.ts";
import { Database } from "./database.ts";
import { literal } from "./sql.ts";
import { contentTable, ofBatches, usageTable } from "./usage-tables.ts";

/** The options of {@link migrateClickHouse}. */
export interface MigrateClickHouseOptions {
  /** The database of the tables, which is created. The default is "tollgate". */
  readonly database?: string;
  /** After how many days ClickHouse removes the rows of requests by itself. Totals are kept. Absent: no change. */
  readonly usageDays?: number;
  /** After how many days ClickHouse removes the content of requests by itself. Absent: no change. */
  readonly contentDays?: number;
}

/** The migrations in order. ClickHouse has no transactions, so each must be safe to repeat and to run at the same time twice. */
const migrations: readonly { readonly name: string; readonly statement: (database: Database) => string }[] = [
  { name: "usage", statement: ({ usage }) => usageTable(usage) },
  { name: "content", statement: ({ content }) => contentTable(content) },
];

/**
 * Creates the database and its tables, or migrates them to this version, and sets how long rows are kept. Any number of processes
 * can call it at the same time. Rejects when a newer version has migrated the database.
 */
export async function migrateClickHouse(
  client: ClickHouseClient,
  options: MigrateClickHouseOptions = {},
): Promise<void> {
  requireKnown("migrateClickHouse", options, { database: true, usageDays: true, contentDays: true });
  const database = new Database(client, options.database);
  await database.run(`CREATE DATABASE IF NOT EXISTS ${database.name}`);
  await database.run(
    `CREATE TABLE IF NOT EXISTS ${database.migration} (number UInt32, name String, applied_at DateTime DEFAULT now())
     ENGINE = ReplacingMergeTree ORDER BY number`,
  );
  for (const [index, { name, statement }] of [...migrations.entries()].slice(await countApplied(database))) {
    await database.run(statement(database));
    await database.insert(database.migration, [{ number: index + 1, name }]);
  }
  await keepFor(database, database.usage, options.usageDays, (period) => [
    ofBatches,
    `toDateTime(start) + ${period} DELETE WHERE kind = 'row'`,
  ]);
  await keepFor(database, database.content, options.contentDays, (period) => [`toDateTime(at) + ${period} DELETE`]);
}

async function countApplied(database: Database): Promise<number> {
  const applied = await database.count(`SELECT max(number) AS counted FROM ${database.migration}`);
  if (applied <= migrations.length) return applied;
  throw new Error(
    `The database "${database.name}" has ${applied} migrations, but this version of @tollgate/clickhouse has only ` +
      `${migrations.length}. Deploy a newer version of @tollgate/clickhouse, or use another database.`,
  );
}

async function keepFor(
  database: Database,
  table: string,
  days: number | undefined,
  expressions: (period: string) => readonly string[],
): Promise<void> {
  if (days === undefined) return;
  const period = `toIntervalDay(${checkedWholeNumber("the number of days", days, 1)})`;
  const isThis = `concat(database, '.', name) = ${literal(table)}`;
  const [definition] = await database.rows(`SELECT engine_full FROM system.tables WHERE ${isThis}`);
  // Setting the same period again would rewrite the parts of the table.
  if (definition?.text("engine_full").includes(`) + ${period} `) === true) return;
  await database.run(`ALTER TABLE ${table} MODIFY TTL ${expressions(period).join(", ")}`);
}
