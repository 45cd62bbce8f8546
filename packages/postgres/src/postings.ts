import { checkedPosting, emptyBalance, type Posting, type PostingResult } from "@tollgate/core/store";
import { toBalance } from "./accounts.ts";
import type { Database } from "./database.ts";
import { newAccountStatement } from "./statements/hold.ts";
import { existingPostingStatement, postingStatement } from "./statements/posting.ts";

/** Posts a credit or debit of the host. */
export async function post(database: Database, kind: "credit" | "debit", posting: Posting): Promise<PostingResult> {
  const { id, account, amount, reason } = checkedPosting(posting);
  const movement = kind === "credit" ? amount : -amount;
  for (;;) {
    const [row] = await database.run(postingStatement, [account, kind, String(movement), id, reason]);
    const balance = (row && toBalance(row)) ?? emptyBalance;
    if (row?.text("outcome") === "posted") return { outcome: "posted", balance };
    // A separate lookup, because the posting with this id can be newer than the snapshot of the statement.
    const [earlier] = await database.run(existingPostingStatement, [id]);
    if (earlier !== undefined) {
      const same =
        earlier.text("account_id") === account &&
        earlier.text("kind") === kind &&
        earlier.integer("amount") === movement &&
        earlier.text("reason") === reason;
      if (!same) return { outcome: "conflict" };
      // Without a row, the account is newer than the snapshot, so its balance is unknown until the next attempt.
      if (row !== undefined) return { outcome: "repeated", balance };
    }
    await database.run(newAccountStatement, [account]);
  }
}
