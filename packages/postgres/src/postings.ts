import type { Posting, PostingResult } from "@tollgate/core/store";
import { emptyBalance } from "@tollgate/core/store";
import { storableAmount } from "./amount.ts";
import { balanceIn } from "./balance-row.ts";
import type { Database } from "./database.ts";
import { newAccountStatement } from "./statements/hold.ts";
import { existingPostingStatement, postingStatement } from "./statements/posting.ts";

/** Books what the host puts on an account or takes off it. */
export async function bookPosting(
  database: Database,
  kind: "credit" | "debit",
  posting: Posting,
): Promise<PostingResult> {
  const { id, account, reason } = posting;
  const amount = storableAmount(posting.amount, 1n);
  const movement = kind === "credit" ? amount : -amount;
  for (;;) {
    const [row] = await database.run(postingStatement, [account, kind, String(movement), id, reason]);
    const balance = (row && balanceIn(row)) ?? emptyBalance;
    if (row?.text("outcome") === "posted") return { outcome: "posted", balance };
    // Looked up after the refusal: what made it may be younger than the snapshot of the statement.
    const [earlier] = await database.run(existingPostingStatement, [id]);
    if (earlier !== undefined) {
      const same =
        earlier.text("account_id") === account &&
        earlier.text("kind") === kind &&
        earlier.bigint("amount") === movement &&
        earlier.text("reason") === reason;
      if (!same) return { outcome: "conflict" };
      // Without a row the account is younger than the statement's snapshot, and so is its balance.
      if (row !== undefined) return { outcome: "repeated", balance };
    }
    await database.run(newAccountStatement, [account]);
  }
}
