import type { HoldRequest } from "../ports/balance-store.ts";
import { checkedAmount } from "./cost.ts";

type Amounts = Pick<HoldRequest, "amount" | "flexible">;

/**
 * Returns the nano-units to hold, given the `left` that the balance and every spend limit leave, which must not be below
 * {@link leastToHold}.
 */
export function amountToHold({ amount, flexible }: Amounts, left: bigint): bigint {
  if (flexible === undefined) return amount;
  const quarter = left / 4n;
  const share = quarter > flexible.floor ? quarter : flexible.floor;
  const wanted = share < amount ? share : amount;
  return wanted < left ? wanted : left;
}

/** Returns the nano-units below which a hold is refused. */
export const leastToHold = ({ amount, flexible }: Amounts): bigint => flexible?.least ?? amount;

/**
 * Returns the amounts that a hold asks for as text, by which a store recognizes a repeated call: what is held of a flexible
 * one can be less. For a hold that is not flexible, it is the amount alone.
 */
export const askedAmounts = ({ amount, flexible }: Amounts): string =>
  flexible === undefined ? String(amount) : `${amount} ${flexible.floor} ${flexible.least}`;

/** Returns true if two holds ask for the same amounts. */
export const asksForSame = (a: Amounts, b: Amounts): boolean =>
  a.amount === b.amount && a.flexible?.floor === b.flexible?.floor && a.flexible?.least === b.flexible?.least;

/** Throws a RangeError unless the amounts of the hold are bigints in ascending order: 0, least, floor, amount. */
export function checkHoldAmounts({ amount, flexible }: Amounts): void {
  const floor = flexible && checkedAmount(flexible.floor, checkedAmount(flexible.least, 0n));
  checkedAmount(amount, floor ?? 0n);
}
