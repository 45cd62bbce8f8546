import type { Entry, LotShare, MoneyKind } from "../ports/ledger-entry.ts";

/**
 * Money of an account that is granted or expires, and what is left of it in nano-units. What an account has besides its lots
 * is paid and does not expire. The rests of all lots are together at most what is posted.
 */
export interface Lot {
  /** The `lot` of a {@link LotShare}. */
  readonly id: string;
  readonly kind: MoneyKind;
  readonly expiresAt: Date | undefined;
  /** The sequence number of the entry that made it. */
  readonly sequence: bigint;
  readonly rest: bigint;
}

/** Compares lots in the order in which they pay: those that expire by their time, then the others, and by age. */
export function compareLots(one: Lot, other: Lot): number {
  const [time, otherTime] = [timeOf(one), timeOf(other)];
  if (time !== otherTime) return time < otherTime ? -1 : 1;
  return one.sequence < other.sequence ? -1 : 1;
}

/** Milliseconds since the Unix epoch. */
const timeOf = ({ expiresAt }: { readonly expiresAt?: Date | undefined }): number =>
  expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;

/** Returns what each lot pays of an amount, given the lots in the order in which they pay. Paid money without a lot pays the rest. */
export function takeFromLots(lots: readonly Lot[], amount: bigint): readonly LotShare[] {
  return fill(
    lots.filter(({ rest }) => rest > 0n).map((lot) => shareOf(lot, lot.rest)),
    amount,
  );
}

/** Returns what is left of the paid money of an account, in nano-units. */
export function paidLeft(posted: bigint, lots: readonly Lot[]): bigint {
  const granted = sumOfRests(lots.filter(({ kind }) => kind === "granted"));
  return posted > granted ? posted - granted : 0n;
}

/** Returns how much of a lot whose time has passed expires now. Pending holds keep the rest, until they end. */
export function amountToLapse({ rest }: Lot, posted: bigint, held: bigint): bigint {
  return atMost(rest, posted > held ? posted - held : 0n);
}

/** What a lot can receive of money that comes to an account, which pays a negative balance first. */
export function roomForLots(postedAfter: bigint, lots: readonly Lot[]): bigint {
  const room = postedAfter - sumOfRests(lots);
  return room > 0n ? room : 0n;
}

/** The return of a charge: by a refund, or by a late settlement that costs less than the expiry. */
export interface Return {
  /** The entry of the charge. */
  readonly charge: Pick<Entry, "sequence" | "amount" | "lots">;
  /** Nano-units. */
  readonly amount: bigint;
  /** What was returned of the charge before. */
  readonly before: bigint;
  /** The most that lots can receive, as {@link roomForLots} returns it. */
  readonly room: bigint;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Begins the id of the lot for what came from lots whose time has passed. */
  readonly by: "refund" | "late";
}

/** How long money is granted again whose lot has expired. */
const grantedAgainMs = 7 * 86_400_000;

/** Returns what each lot receives of a return: what was taken last returns first, and paid money without a lot before all others. */
export function returnToLots({ charge, amount, before, room, now, by }: Return): readonly LotShare[] {
  const taken = charge.lots ?? [];
  const withoutLot = -charge.amount - sumOfShares(taken);
  const parts = fill(skip(taken.toReversed(), before - withoutLot), amount - withoutLot + atMost(before, withoutLot));
  const received = fill(parts, room);
  const current = received.filter((share) => timeOf(share) > now);
  const again = sumOfShares(received) - sumOfShares(current);
  if (again === 0n) return current;
  const lot = `${by}:${charge.sequence}`;
  return [...current, { lot, kind: "granted", amount: again, expiresAt: new Date(now + grantedAgainMs) }];
}

/** Returns the first shares up to an amount, of which the last one may be a part. */
function fill(shares: readonly LotShare[], amount: bigint): readonly LotShare[] {
  let left = amount;
  return shares.flatMap((share) => {
    const part = atMost(share.amount, left);
    if (part <= 0n) return [];
    left -= part;
    return [{ ...share, amount: part }];
  });
}

/** Returns the shares after the first ones up to an amount, of which the first one may be a part. */
function skip(shares: readonly LotShare[], amount: bigint): readonly LotShare[] {
  const skipped = fill(shares, amount);
  return shares.flatMap((share, at) => {
    const rest = share.amount - (skipped[at]?.amount ?? 0n);
    return rest > 0n ? [{ ...share, amount: rest }] : [];
  });
}

/** Returns a part of a lot as an entry names it. */
export function shareOf({ id, kind, expiresAt }: Omit<Lot, "rest" | "sequence">, amount: bigint): LotShare {
  return { lot: id, kind, amount, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

const atMost = (amount: bigint, most: bigint): bigint => (amount < most ? amount : most);

const sumOfShares = (shares: readonly LotShare[]): bigint => shares.reduce((sum, { amount }) => sum + amount, 0n);

const sumOfRests = (lots: readonly Lot[]): bigint => lots.reduce((sum, { rest }) => sum + rest, 0n);
