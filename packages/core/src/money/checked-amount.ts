/** Returns the amount in nano-units if it is a bigint of at least `least`. Throws a RangeError otherwise. */
export function checkedAmount(amount: bigint, least: bigint): bigint {
  if (typeof amount === "bigint" && amount >= least) return amount;
  throw new RangeError(`An amount must be a bigint of at least ${least} nano-units, not ${String(amount)}.`);
}

/** Returns the value if it is a whole number of at least `least`. Throws a RangeError that names it otherwise. */
export function checkedWholeNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(`${name} must be a whole number of at least ${least}, not ${value}.`);
}
