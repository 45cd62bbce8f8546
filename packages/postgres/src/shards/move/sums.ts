import type { Tables } from "../../schema.ts";
import type { MovingShard } from "./moving-shard.ts";
import { requireEqual } from "./require-equal.ts";

/** Compares the sums of a frozen account in both shards, and what is posted with the sum of the entries that were copied. */
export async function compareSums(source: MovingShard, target: MovingShard, posted: bigint): Promise<void> {
  const [own, copied] = await Promise.all([source.read(sumsStatement), target.read(sumsStatement)]);
  for (const what of ["posted", "holds"]) {
    requireEqual(`What is in ${what}`, [source, own.text(what)], [target, copied.text(what)]);
  }
  requireEqual("The entries", [source, String(posted)], [target, copied.text("posted")]);
}

/** Selects what is posted of account $1, and of its holds what is held, and the number and the sums of the pending and the free ones. */
const sumsStatement = ({ account, hold }: Tables): string => `
SELECT coalesce((SELECT posted FROM ${account} WHERE id = $1), 0)::text AS posted,
       concat_ws(' ', (SELECT held FROM ${account} WHERE id = $1),
         (SELECT concat_ws(' ', count(*), sum(amount), sum(used)) FROM ${hold} WHERE account_id = $1 AND state = 'pending'),
         (SELECT count(*) FROM ${hold} WHERE account_id = $1 AND state <> 'pending' AND charged = 0)) AS holds`;
