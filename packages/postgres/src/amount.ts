import { checkedAmount } from "@tollgate/core/store";

const greatest = 2n ** 63n - 1n;

/** The amount itself, in nano-units, when it is a bigint from `least` to 2^63 - 1; throws a RangeError otherwise. */
export function storableAmount(amount: bigint, least: bigint): bigint {
  if (checkedAmount(amount, least) <= greatest) return amount;
  throw new RangeError(`PostgreSQL keeps amounts of at most ${greatest} nano-units, which ${amount} exceeds.`);
}
