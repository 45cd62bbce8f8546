import type { TextRow } from "@tollgate/core/internal";
import { forgottenDescription } from "@tollgate/core/store";
import type { Statement } from "../../schema.ts";
import { forgetCharges } from "../../statements/forgetting.ts";
import type { MovingShard } from "./moving-shard.ts";

const batchSize = 1_000;

/** Erases in the target what the host wrote of charges, and what was forgotten in the source after it was copied. */
export async function forgetCopied(source: MovingShard, target: MovingShard): Promise<void> {
  for (let after = ""; ; ) {
    const row: TextRow = await source.read(forgottenStatement, [after, batchSize]);
    const last = row.optionalText("last");
    if (last === undefined) return;
    const ids: readonly string[] = JSON.parse(row.text("ids"));
    await target.run((run) => run(forgetStatement, [target.account, ids]));
    after = last;
  }
}

/** Selects the ids of at most $3 holds of account $1 after the id $2 whose charges were forgotten. */
const forgottenStatement: Statement = ({ hold }) => `
WITH forgotten AS (
  SELECT id FROM ${hold} WHERE account_id = $1 AND description IS NOT NULL AND description = '${forgottenDescription}'
     AND id > $2 ORDER BY id LIMIT $3::int
)
SELECT max(id) AS last, json_agg(id)::text AS ids FROM forgotten`;

/** Erases what the host wrote of the charges of account $1 whose holds have the ids $2. */
const forgetStatement: Statement = (tables) =>
  forgetCharges(tables, `SELECT id FROM ${tables.hold} WHERE account_id = $1 AND id = ANY ($2::text[])`);
