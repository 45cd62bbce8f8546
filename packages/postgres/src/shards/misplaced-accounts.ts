import type { LedgerViolation } from "@tollgate/core/store";
import type { Tables } from "../schema.ts";
import { unfenced } from "../statements/fencing.ts";
import { readFence } from "./fences.ts";
import type { Shard } from "./shard.ts";
import type { Shards } from "./shards.ts";

const pageSize = 1_000;

/** Finds the accounts that have a balance in a shard other than the one that the directory names, and no fence there. */
export async function findMisplaced(shards: Shards): Promise<readonly LedgerViolation[]> {
  return (await shards.onAll((shard) => misplacedIn(shards, shard))).flat();
}

async function misplacedIn({ directory }: Shards, shard: Shard): Promise<readonly LedgerViolation[]> {
  const violations: LedgerViolation[] = [];
  for (let after = ""; ; ) {
    const ids = (await shard.database.run(accountsStatement, [after, pageSize])).map((row) => row.text("id"));
    const last = ids.at(-1);
    if (last === undefined) return violations;
    for (const row of await directory.database.run(elsewhereStatement, [ids, shard.name])) {
      const account = row.text("id");
      // An account that has moved since its id was read has a fence now.
      if ((await readFence(shard.database, account)) !== undefined) continue;
      const named = row.optionalText("shard");
      const problem = `It has a balance in the shard "${shard.name}", and the directory names ${named === undefined ? "no shard" : `"${named}"`} for it.`;
      violations.push({ account, problem });
    }
    after = last;
  }
}

const accountsStatement = (tables: Tables): string => `
SELECT id FROM ${tables.account} AS account WHERE id > $1 AND ${unfenced(tables, "account.id")} ORDER BY id LIMIT $2::int`;

const elsewhereStatement = ({ directoryAccount }: Tables): string => `
SELECT asked.id, account.shard FROM unnest($1::text[]) AS asked (id) LEFT JOIN ${directoryAccount} AS account ON account.id = asked.id
 WHERE account.shard IS DISTINCT FROM $2`;
