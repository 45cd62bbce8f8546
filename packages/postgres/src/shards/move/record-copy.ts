import type { RunStatement } from "../../database.ts";
import type { Statement, Tables } from "../../schema.ts";
import { asJson, type Columns, carriedTables, insertStatement } from "./carried-rows.ts";
import type { MovingShard } from "./moving-shard.ts";
import { requireEqual } from "./require-equal.ts";

/** The tables whose rows are copied together, once the account is frozen. An account has few rows in each. */
const recordTables = ["account", "lot", "keyUsage", "apiKey", "termsAcceptance", "payment", "topUp"] as const;

/** Copies the row of the frozen account and its other records, and compares both sides. */
export async function copyRecords(source: MovingShard, target: MovingShard, columns: Columns): Promise<void> {
  const [row] = await source.run((run) => run(readStatement(columns), [source.account]));
  const rows = recordTables.map((table) => row?.optionalText(table) ?? "[]");
  const copied = await target.run(async (run) => {
    const [before] = await run(lastNoticeStatement, []);
    await removeRecords(run, target.account);
    await run(insertRecordsStatement(columns), rows);
    // A trigger has written the notice of a freeze again.
    await run(removeNoticesStatement, [target.account, before?.text("last")]);
    return (await run(readStatement(columns), [target.account]))[0];
  });
  for (const table of recordTables) {
    const what = `The rows of the table ${source.tables[table]}`;
    requireEqual(what, [source, row?.optionalText(table)], [target, copied?.optionalText(table)]);
  }
}

/** Inserts the rows of JSON arrays, one for each table. */
const insertRecordsStatement =
  (columns: Columns): Statement =>
  (tables) => {
    const inserts = recordTables.map(
      (table, at) => `${table} AS (${insertStatement(table, columns(table), "", `$${at + 1}`)(tables)})`,
    );
    return `WITH ${inserts.join(", ")} SELECT`;
  };

/** Removes the records of an account. */
export async function removeRecords(run: RunStatement, account: string): Promise<void> {
  await run(removeRecordsStatement, [account]);
}

const removeRecordsStatement: Statement = (tables) => {
  const removals = recordTables.map(
    (table) => `${table} AS (DELETE FROM ${tables[table]} WHERE ${carriedTables[table]} = $1)`,
  );
  return `WITH ${removals.join(", ")} SELECT`;
};

/** Selects the records of account $1, one column for each table. */
const readStatement =
  (columns: Columns): Statement =>
  (tables) => {
    const rowsOf = (table: (typeof recordTables)[number]) =>
      `SELECT ${columns(table)} FROM ${tables[table]} AS own WHERE ${carriedTables[table]} = $1 ORDER BY own::text COLLATE "C"`;
    return `SELECT ${recordTables.map((table) => `${asJson(rowsOf(table))} AS "${table}"`).join(", ")}`;
  };

/** Selects the last notice of all accounts. */
export const lastNoticeStatement = ({ notice }: Tables): string =>
  `SELECT coalesce(max(sequence), 0)::text AS last FROM ${notice}`;

/** Removes the notices of account $1 after $2. The others stay in the shard: all shards are asked for notices. */
export const removeNoticesStatement = ({ notice }: Tables): string =>
  `DELETE FROM ${notice} WHERE account_id = $1 AND sequence > $2::bigint`;
