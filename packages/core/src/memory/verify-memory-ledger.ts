import { keyViolation, lotSumViolation, lotViolation, sumViolation } from "../money/ledger-violations.ts";
import type { LedgerViolation } from "../ports/balance-store.ts";
import { type MemoryAccount, totalsOf } from "./memory-accounts.ts";
import { type EntryTotals, restsOf, sumOf } from "./memory-entries.ts";

/**
 * Checks that what is posted, credited, used and left of each lot is what the entries say, as what was used of each key is, and
 * that what is held is the sum of the pending holds.
 */
export function verifyMemoryLedger(
  accounts: Iterable<MemoryAccount>,
  pending: Iterable<{ readonly account: MemoryAccount; readonly held: bigint }>,
  usedByKey: ReadonlyMap<string, bigint>,
): readonly LedgerViolation[] {
  const all = [...accounts].map((account) => ({ account, totals: totalsOf(account) }));
  const held = new Map<MemoryAccount, bigint>();
  for (const hold of pending) held.set(hold.account, (held.get(hold.account) ?? 0n) + hold.held);
  return [
    ...all.flatMap(({ account, totals: { credited, used } }) => [
      ...difference(account.id, "posted", account.posted, sumOf(account.entries)),
      ...difference(account.id, "held", account.held, held.get(account) ?? 0n),
      ...difference(account.id, "credited", account.credited, credited),
      ...difference(account.id, "used", account.funded - account.posted, used),
      ...lotDifferences(account),
    ]),
    ...keyDifferences(all, usedByKey),
  ];
}

function difference(
  account: string,
  what: Parameters<typeof sumViolation>[1],
  stated: bigint,
  found: bigint,
): LedgerViolation[] {
  return stated === found ? [] : [sumViolation(account, what, stated, found)];
}

function keyDifferences(
  all: readonly { readonly account: MemoryAccount; readonly totals: EntryTotals }[],
  usedByKey: ReadonlyMap<string, bigint>,
): readonly LedgerViolation[] {
  const found = new Map<string, { readonly account: string; readonly used: bigint }>();
  for (const { account, totals } of all) {
    for (const [key, used] of totals.usedByKey) {
      const before = found.get(key) ?? { account: account.id, used: 0n };
      found.set(key, { ...before, used: before.used + used });
    }
  }
  return [...new Set([...usedByKey.keys(), ...found.keys()])].flatMap((key) => {
    const { account, used } = found.get(key) ?? { account: "", used: 0n };
    const stated = usedByKey.get(key) ?? 0n;
    return stated === used ? [] : [keyViolation(account, key, stated, used)];
  });
}

function lotDifferences({ id, posted, lots = [], entries }: MemoryAccount): LedgerViolation[] {
  const found = restsOf(entries);
  const stated = new Map(lots.map((lot) => [lot.id, lot.rest]));
  const sum = lots.reduce((total, { rest }) => total + rest, 0n);
  return [
    ...[...new Set([...stated.keys(), ...found.keys()])].flatMap((lot) => {
      const [rest, left] = [stated.get(lot) ?? 0n, found.get(lot)?.amount ?? 0n];
      return rest === left ? [] : [lotViolation(id, lot, rest, left)];
    }),
    ...(sum > 0n && sum > posted ? [lotSumViolation(id, sum, posted)] : []),
  ];
}
