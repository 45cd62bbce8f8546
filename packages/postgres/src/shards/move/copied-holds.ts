import type { TextRow } from "@tollgate/core/internal";
import type { RunStatement } from "../../database.ts";
import type { Statement } from "../../schema.ts";
import { asJson, type Columns, insertStatement } from "./carried-rows.ts";

/** Holds of one shard, and the counters of spend limits in which they are counted. */
export interface CopiedHolds {
  readonly ids: readonly string[];
  /** JSON arrays. */
  readonly holds: string;
  readonly counters: string;
  /** The number and the sums of the holds by state. */
  readonly totals: string | undefined;
}

/** The columns of {@link CopiedHolds}, of the holds in the query `chosen`. Every change of a counter comes with one of a hold. */
export const selectHolds = (spend: string): string => `
       (SELECT json_agg(id) FROM chosen)::text AS hold_ids, ${asJson("SELECT * FROM chosen")} AS holds,
       ${totals("chosen")} AS hold_totals,
       ${asJson(`SELECT * FROM ${spend} WHERE id IN (
          SELECT account_spend FROM chosen UNION SELECT key_spend FROM chosen UNION SELECT token_spend FROM chosen)`)} AS counters`;

const totals = (holds: string): string => `(
  SELECT string_agg(concat_ws(' ', state, count, amount, used, charged, refunded), ', ' ORDER BY state)
    FROM (SELECT state, count(*) AS count, sum(amount) AS amount, sum(used) AS used, sum(charged) AS charged, sum(refunded) AS refunded
            FROM ${holds} GROUP BY state) AS of_state)`;

/** Reads the columns that {@link selectHolds} selects. */
export function readHolds(row: TextRow): CopiedHolds {
  const ids: readonly string[] = JSON.parse(row.optionalText("hold_ids") ?? "[]");
  return {
    ids,
    holds: row.optionalText("holds") ?? "[]",
    counters: row.optionalText("counters") ?? "[]",
    totals: row.optionalText("hold_totals"),
  };
}

/** Writes holds and their counters, in place of older copies. Returns the totals of what was written. */
export async function writeHolds(
  run: RunStatement,
  columns: Columns,
  copied: CopiedHolds,
): Promise<string | undefined> {
  // Not an update of the older copy, for which a trigger would count the charge again.
  await run(removeHoldsStatement, [copied.ids]);
  await run(insertStatement("hold", columns("hold")), [copied.holds]);
  await run(insertStatement("spend", columns("spend"), replaceCounter(columns("spend"))), [copied.counters]);
  const [row] = await run(totalsStatement, [copied.ids]);
  return row?.optionalText("totals");
}

const removeHoldsStatement: Statement = ({ hold }) => `DELETE FROM ${hold} WHERE id = ANY ($1::text[])`;

const totalsStatement: Statement = ({ hold }) =>
  `SELECT ${totals(`(SELECT * FROM ${hold} WHERE id = ANY ($1::text[])) AS written`)} AS totals`;

function replaceCounter(columns: string): string {
  const values = columns.split(", ").filter((name) => name !== "id");
  return `ON CONFLICT (id) DO UPDATE SET ${values.map((name) => `${name} = excluded.${name}`).join(", ")}`;
}
