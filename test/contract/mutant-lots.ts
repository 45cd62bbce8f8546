import {
  type AccountBalance,
  type Balance,
  compareLots,
  type Entry,
  type ExpiringAmount,
  type Lot,
  type LotShare,
  type Return,
  returnToLots,
  roomForLots,
  shareOf,
} from "@tollgate/core/store";

/** The seeded mutations of lots, allowances, refunds and totals. Each changes one line. */
export interface LotMutations {
  readonly grantedFirst?: boolean;
  readonly debtIgnored?: boolean;
  readonly holdsIgnored?: boolean;
  readonly lapseMissing?: boolean;
  readonly grantedDebited?: boolean;
  readonly allowanceOfEachHold?: boolean;
  readonly allowanceHidden?: boolean;
  readonly allowanceOfLastWindow?: boolean;
  readonly refundRepeated?: boolean;
  readonly refundUnlimited?: boolean;
  readonly refundIsPaid?: boolean;
  readonly refundInOrder?: boolean;
  readonly expiredLotRestored?: boolean;
  readonly lateIgnoresRefund?: boolean;
  readonly refundIgnoresLate?: boolean;
  readonly debitsUncounted?: boolean;
  readonly refundsUncounted?: boolean;
  readonly kindUncompared?: boolean;
}

/** Returns what the entries leave of each lot, in the order in which they pay. */
export function lotsOf(entries: readonly Entry[], { grantedFirst }: LotMutations): readonly Lot[] {
  const lots = new Map<string, Lot>();
  for (const { sequence, amount, lots: shares = [] } of entries) {
    for (const { lot: id, kind, expiresAt, amount: share } of shares) {
      const known = lots.get(id) ?? { id, kind, expiresAt, sequence, rest: 0n };
      lots.set(id, { ...known, rest: amount > 0n ? known.rest + share : known.rest - share });
    }
  }
  const left = [...lots.values()].filter(({ rest }) => rest > 0n).sort(compareLots);
  return grantedFirst ? left.sort((one, other) => one.kind.localeCompare(other.kind)) : left;
}

/** Returns what a credit adds to its lot. */
export function shareOfCredit(
  lot: Pick<Lot, "id" | "kind" | "expiresAt">,
  amount: bigint,
  { posted }: Balance,
  { debtIgnored }: LotMutations,
): readonly LotShare[] {
  const left = posted >= 0n || debtIgnored ? amount : posted + amount;
  return left > 0n ? [shareOf(lot, left)] : [];
}

/** Returns what each lot receives of a return. */
export function sharesOfReturn(
  returned: Omit<Return, "room" | "now">,
  posted: bigint,
  lots: readonly Lot[],
  { refundIsPaid, refundInOrder, expiredLotRestored }: LotMutations,
): readonly LotShare[] {
  if (refundIsPaid) return [];
  const { charge, amount } = returned;
  const order = refundInOrder ? { ...charge, lots: charge.lots?.toReversed() ?? [] } : charge;
  const now = expiredLotRestored ? 0 : Date.now();
  return returnToLots({ ...returned, charge: order, room: roomForLots(posted + amount, lots), now });
}

/** Returns the balance of an account as a reader sees it. `paidDebits` are the ids of debits of paid money. */
export function readBalance(
  balance: Balance,
  entries: readonly Entry[],
  lots: readonly Lot[],
  paidDebits: ReadonlySet<string>,
  { debitsUncounted }: LotMutations,
): AccountBalance {
  const credited = entries.filter(
    ({ kind, reference }) => kind === "credit" || (kind === "debit" && paidDebits.has(reference) && !debitsUncounted),
  );
  const used = entries.filter(({ kind }) => isUse(kind));
  return {
    ...balance,
    expiring: lots.flatMap(({ rest, expiresAt }): ExpiringAmount[] => (expiresAt ? [{ amount: rest, expiresAt }] : [])),
    totals: { credited: sumOf(credited), used: -sumOf(used) },
  };
}

/** Returns what was charged for a key, less refunds. */
export function usedBy(entries: readonly Entry[], keyId: string, { refundsUncounted }: LotMutations): bigint {
  const charges = entries.filter(({ receipt }) => receipt?.keyId === keyId);
  const ids = new Set(charges.map(({ sequence }) => String(sequence)));
  const refunds = entries.filter(({ kind, reference }) => kind === "refund" && ids.has(reference));
  return -sumOf(charges) - (refundsUncounted ? 0n : sumOf(refunds));
}

/** True for the kinds of entries that are charges, or change one. */
const isUse = (kind: Entry["kind"]): boolean => ["charge", "expiry", "late", "refund"].includes(kind);

/** Returns the sum of the entries. */
export const sumOf = (entries: readonly Entry[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n);
