import { checkedAmount } from "@tollgate/core/store";

/**
 * Returns the text. Throws a RangeError for a value that PostgreSQL rejects or would silently change, which could make
 * two names equal: text with NUL or half a surrogate pair, and, from JavaScript, a value that is not a string.
 */
export function storableText(text: string): string {
  if (isStorableText(text)) return text;
  throw new RangeError(
    "A value is not text that PostgreSQL can store: a string without NUL characters and without halves of surrogate pairs. Check the account, id, name or reason that was passed.",
  );
}

/** Tells whether PostgreSQL stores the text unchanged. */
export function isStorableText(text: string): boolean {
  return typeof text === "string" && !text.includes("\0") && !/\p{Surrogate}/u.test(text);
}

/** Throws a RangeError if PostgreSQL would reject or change a text among the values of a statement. */
export function requireStorable(values: readonly unknown[]): void {
  for (const value of values) {
    // Joined by commas, since two halves of surrogate pairs side by side would be one pair.
    const text = Array.isArray(value) ? value.join() : value;
    if (typeof text === "string") storableText(text);
  }
}

/** The greatest value of a bigint in PostgreSQL. */
export const maxAmount: bigint = 2n ** 63n - 1n;

/** Returns the amount, in nano-units, if it is a bigint from `minimum` to 2^63 - 1. Throws a RangeError otherwise. */
export function storableAmount(amount: bigint, minimum: bigint): bigint {
  if (checkedAmount(amount, minimum) <= maxAmount) return amount;
  throw new RangeError(`An amount in PostgreSQL must be at most ${maxAmount} nano-units, not ${amount}.`);
}
