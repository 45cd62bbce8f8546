import type { Balance, BalanceStore, Entry } from "@tollgate/core/store";
import type { HoldHistory } from "./hold-history.ts";
import type { Violation } from "./violation.ts";

/** The balance of an account and its entries, oldest first. */
interface AccountLedger {
  readonly balance: Balance;
  readonly entries: readonly Entry[];
}

const maxReads = 10;

/** Reads an account and all its entries. When a lot expires in between, it reads both again. */
export async function readLedger(store: BalanceStore, account: string): Promise<AccountLedger> {
  for (let reads = 1; ; reads++) {
    const before = await store.balance(account);
    const entries = await readEntries(store, account);
    const balance = await store.balance(account);
    if (balance.posted === before.posted || reads === maxReads) return { balance, entries };
  }
}

async function readEntries(store: BalanceStore, account: string): Promise<Entry[]> {
  const all: Entry[] = [];
  let after: bigint | undefined = 0n;
  while (after !== undefined) {
    const page = await store.entries({ account, limit: 1_000, after });
    all.push(...page.entries);
    after = page.next;
  }
  return all;
}

/** Checks that nothing is held after every hold has ended, and that the entries sum to the posted balance. */
export function checkSums(account: string, { balance, entries }: AccountLedger): Violation[] {
  const { posted, held, available } = balance;
  const sum = entries.reduce((total, { amount }) => total + amount, 0n);
  const found: Violation[] = [];
  if (posted !== sum)
    found.push({ kind: "drift", problem: `${account} has ${posted}, but its entries sum to ${sum}.` });
  if (held !== 0n) found.push({ kind: "stuck", problem: `${account} holds ${held} after every hold has ended.` });
  if (available !== posted - held) found.push({ kind: "drift", problem: `${account} has ${available} available.` });
  if (entries.some(({ sequence }, at) => sequence <= (entries[at - 1]?.sequence ?? 0n))) {
    found.push({ kind: "wrong", problem: `The entries of ${account} are not in order.` });
  }
  return found;
}

/**
 * Checks for overdrafts. Holds are granted from the available balance, so only costs above a hold or after its expiry
 * can take the account below zero. At no entry may it be further below zero than the sum of these costs.
 */
export function checkOverdraft(
  account: string,
  ledger: readonly Entry[],
  holds: ReadonlyMap<string, HoldHistory>,
): Violation[] {
  let posted = 0n;
  let unreserved = 0n;
  for (const { kind, amount, reference } of ledger) {
    posted += amount;
    // What expires is available, so it needs no hold.
    if (kind === "lapse" && posted < 0n) return [overdrawnBy(account, posted, unreserved)];
    const reserved = kind === "late" ? 0n : (holds.get(reference)?.amount ?? 0n);
    if (kind !== "lapse" && -amount > reserved) unreserved += -amount - reserved;
    if (posted >= -unreserved) continue;
    return [overdrawnBy(account, posted, unreserved)];
  }
  return [];
}

const overdrawnBy = (account: string, posted: bigint, unreserved: bigint): Violation => ({
  kind: "overdrawn",
  problem: `${account} was at ${posted} when only ${unreserved} exceeded holds.`,
});
