import type { SqliteValue } from "./database.ts";

/** What the stores give to a statement; undefined becomes NULL and a Date its milliseconds. */
export type Parameter = string | number | bigint | Date | undefined;

const largest = 2n ** 63n - 1n;

/**
 * The value as SQLite takes it. Throws a RangeError for what it would change without a word: text with NUL or half a
 * surrogate pair (two names would become one), numbers that are not whole, integers beyond 64 bits.
 */
export function toSqliteValue(value: Parameter): SqliteValue {
  if (value === undefined) return null;
  if (typeof value === "string") return storableText(value);
  if (typeof value === "bigint") return storableInteger(value);
  const whole = typeof value === "number" ? value : value.getTime();
  if (Number.isSafeInteger(whole)) return whole;
  throw new RangeError(`A date or number for SQLite must be a whole number, not ${whole}.`);
}

/** The integer itself when it fits into 64 bits; throws a RangeError otherwise. */
export function storableInteger(value: bigint): bigint {
  if (value <= largest && value >= -largest) return value;
  throw new RangeError(`SQLite keeps integers from -${largest} to ${largest}, and ${value} is beyond them.`);
}

/** The text to be looked for; undefined, which equals nothing, when it is one that no row can have. */
export function searchable(text: string): string | undefined {
  return isStorable(text) ? text : undefined;
}

function storableText(text: string): string {
  if (isStorable(text)) return text;
  throw new RangeError(
    "SQLite keeps no text with a NUL character or half a surrogate pair. Check the account, id, name or reason that was given.",
  );
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && !/\p{Surrogate}/u.test(text);
}
