import { checkedAmount } from "@tollgate/core/store";

const maxAmount = 2n ** 63n - 1n;

/** Returns the amount, in nano-units, if it is a bigint from `minimum` to 2^63 - 1. Throws a RangeError otherwise. */
export function storableAmount(amount: bigint, minimum: bigint): bigint {
  if (checkedAmount(amount, minimum) <= maxAmount) return amount;
  throw new RangeError(`An amount in PostgreSQL must be at most ${maxAmount} nano-units, not ${amount}.`);
}
