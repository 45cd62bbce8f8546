import type { AccountDirectory } from "./directory.ts";
import { adoptAccountsStatement, adoptKeysStatement } from "./directory-statements.ts";
import type { Shard } from "./shard.ts";
import { accountsWithDataStatement, keysWithDigestsStatement } from "./shard-statements.ts";

const pageSize = 1_000;

/**
 * Adds to the directory the accounts and the keys that a database has from before it became a shard. Returns the number of
 * accounts that it added. It can run again, and while the database is used.
 */
export async function adoptAccounts(directory: AccountDirectory, shard: Shard): Promise<number> {
  const adopted = await adoptAccountPages(directory, shard);
  await adoptKeyPages(directory, shard);
  return adopted;
}

async function adoptAccountPages({ database }: AccountDirectory, shard: Shard): Promise<number> {
  let adopted = 0;
  for (let after = ""; ; ) {
    const ids = (await shard.database.run(accountsWithDataStatement, [after, pageSize])).map((row) => row.text("id"));
    const last = ids.at(-1);
    if (last === undefined) return adopted;
    const row = await database.runForOne(adoptAccountsStatement, [ids, shard.name]);
    adopted += Number(row.text("adopted"));
    after = last;
  }
}

async function adoptKeyPages({ database }: AccountDirectory, shard: Shard): Promise<void> {
  for (let after = "0"; ; ) {
    const rows = await shard.database.run(keysWithDigestsStatement, [after, pageSize]);
    const last = rows.at(-1);
    if (last === undefined) return;
    const columns = ["digest", "id", "account_id", "sequence"].map((name) => rows.map((row) => row.text(name)));
    await database.run(adoptKeysStatement, columns);
    after = last.text("sequence");
  }
}
