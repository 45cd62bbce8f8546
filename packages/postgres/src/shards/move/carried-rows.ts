import type { RunStatement } from "../../database.ts";
import type { Statement, Tables } from "../../schema.ts";
import type { MovingShard } from "./moving-shard.ts";

/** A table of which a move copies rows, and the column that names their account. Undefined: another table names it. */
export const carriedTables = {
  account: "id",
  lot: "account_id",
  keyUsage: "account_id",
  apiKey: "account_id",
  termsAcceptance: "account_id",
  payment: "account",
  topUp: "account",
  hold: "account_id",
  entry: "account_id",
  spend: undefined,
  session: "account_id",
  sessionMessage: undefined,
  sessionImages: undefined,
  sessionLog: undefined,
  response: "account_id",
  responseItem: undefined,
} as const satisfies { readonly [Name in keyof Tables]?: string | undefined };

/** A table of which a move copies rows. */
export type CarriedTable = keyof typeof carriedTables;

/** Returns the columns of a carried table that a statement can write, as a list for SQL. */
export type Columns = (table: CarriedTable) => string;

const isCarried = (name: string): name is CarriedTable => name in carriedTables;
const names: readonly CarriedTable[] = Object.keys(carriedTables).filter(isCarried);

/** Reads the columns of the carried tables, and checks that both shards have the same. */
export async function readColumns(source: MovingShard, target: MovingShard): Promise<Columns> {
  const [own, others] = await Promise.all([source, target].map((shard) => shard.run(columnsIn(shard))));
  const of = (table: CarriedTable): string => own?.get(table) ?? "";
  if (names.every((name) => of(name) !== "" && of(name) === others?.get(name))) return of;
  throw new Error(
    `The shards "${source.name}" and "${target.name}" have different tables. Migrate both with the same version of @tollgate/postgres, and move the account again.`,
  );
}

const columnsIn =
  ({ tables }: MovingShard) =>
  async (run: RunStatement) => {
    const rows = await run(columnsStatement, [names, names.map((name) => tables[name])]);
    return new Map(rows.map((row) => [row.text("name"), row.text("columns")]));
  };

const columnsStatement = (): string => `
SELECT carried.name, string_agg(quote_ident(attname), ', ' ORDER BY attname) AS columns
  FROM unnest($1::text[], $2::text[]) AS carried (name, relation) JOIN pg_attribute ON attrelid = to_regclass(carried.relation)
 WHERE attnum > 0 AND NOT attisdropped AND attgenerated = '' GROUP BY carried.name`;

/** Selects rows as one JSON array, as text. NULL if there are none. */
export const asJson = (rows: string): string =>
  `(SELECT json_agg(row_to_json(carried)) FROM (${rows}) AS carried)::text`;

/** The statement that inserts the rows of a JSON array, which {@link asJson} selected, as they are. */
export const insertStatement =
  (table: CarriedTable, columns: string, conflict = "", parameter = "$1"): Statement =>
  (tables) =>
    `INSERT INTO ${tables[table]} (${columns}) OVERRIDING SYSTEM VALUE
     SELECT ${columns} FROM json_populate_recordset(NULL::${tables[table]}, ${parameter}::json) AS carried ${conflict}`;
