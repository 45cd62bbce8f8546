import { forgetReceipt } from "../money/forgotten-charges.ts";
import type { Hold, MemoryAccount } from "./memory-accounts.ts";

/** Erases what the host wrote of the charges of an account, also of pending ones, and returns how many holds it changed. */
export function forgetCharges(account: MemoryAccount, pending: Iterable<Hold>): number {
  const charged = account.entries.flatMap(({ hold }) => hold ?? []);
  const holds = new Set([...charged, ...[...pending].filter((hold) => hold.account === account)]);
  let changed = 0;
  for (const hold of holds) {
    const forgotten = forgetReceipt(hold.receipt);
    if (forgotten === undefined) continue;
    hold.receipt = forgotten;
    changed += 1;
  }
  return changed;
}
