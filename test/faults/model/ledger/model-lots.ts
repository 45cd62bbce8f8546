import type { LotShare } from "@tollgate/core/store";

/** What is left of the granted credits of an account, in the order in which they pay. One that is used up keeps its place. */
export type ModelLots = readonly LotShare[];

/** The shares of an entry, and the lots after it. */
export interface LotChange {
  readonly shares: readonly LotShare[];
  readonly lots: ModelLots;
}

/** Takes an amount from the lots, one after another. */
export function take(lots: ModelLots, amount: bigint): LotChange {
  let left = amount;
  const shares: LotShare[] = [];
  const rests = lots.map((lot) => {
    const part = atMost(lot.amount, left);
    if (part <= 0n) return lot;
    left -= part;
    shares.push({ ...lot, amount: part });
    return { ...lot, amount: lot.amount - part };
  });
  return { shares, lots: rests };
}

/** Grants a credit: a lot has what a negative balance leaves of it. */
export function grant(lots: ModelLots, id: string, amount: bigint, postedBefore: bigint): LotChange {
  const rest = postedBefore < 0n ? amount + postedBefore : amount;
  const shares: readonly LotShare[] = rest > 0n ? [{ lot: id, kind: "granted", amount: rest }] : [];
  return { shares, lots: [...lots, ...shares] };
}

/** Returns a part of a charge of `charged`: to paid money first, and then to the lots that it took, the last one first. */
export function giveBack(
  lots: ModelLots,
  taken: readonly LotShare[],
  charged: bigint,
  amount: bigint,
  postedAfter: bigint,
): LotChange {
  const paid = charged - sumOf(taken);
  const room = postedAfter - sumOf(lots);
  const { shares } = take(taken.toReversed(), atMost(amount - paid, room));
  return { shares, lots: shares.reduce(withShare, lots) };
}

const withShare = (lots: ModelLots, share: LotShare): ModelLots =>
  lots.map((each) => (each.lot === share.lot ? { ...each, amount: each.amount + share.amount } : each));

const atMost = (amount: bigint, most: bigint): bigint => (amount < most ? amount : most);

/** Returns the sum of shares or of what is left of lots. */
export const sumOf = (shares: readonly LotShare[]): bigint => shares.reduce((sum, { amount }) => sum + amount, 0n);
