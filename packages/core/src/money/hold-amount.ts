import { checkedAmount } from "../options/problems.ts";
import type { SpendQuery } from "../ports/account-admin.ts";
import type { HoldRequest } from "../ports/balance-store.ts";
import type { SpendLimit } from "../ports/spend-limit.ts";

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

/** Throws a RangeError unless the amounts of the hold are bigints in ascending order: 0, least, floor, amount. */
export function checkHoldAmounts({ amount, flexible }: Amounts): void {
  const floor = flexible && checkedAmount(flexible.floor, checkedAmount(flexible.least, 0n));
  checkedAmount(amount, floor ?? 0n);
}

/** Returns the limits that apply to a hold. `own` is that of the account, which overrides the default of its plan. */
export function limitsOf({ account, keyId, spend }: HoldRequest, own: SpendLimit | undefined): readonly SpendQuery[] {
  const ofAccount = own ?? spend.account;
  if (ofAccount === undefined && spend.key === undefined) return noLimits;
  return [
    ...(ofAccount ? [{ scope: "account" as const, id: account, limit: ofAccount }] : []),
    ...(spend.key ? [{ scope: "key" as const, id: spend.limitsId ?? keyId, limit: spend.key }] : []),
  ];
}

const noLimits: readonly never[] = Object.freeze([]);
