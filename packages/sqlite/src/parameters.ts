import type { SqliteValue } from "./database.ts";

/** A parameter that the stores pass to a statement. Undefined becomes NULL, and a Date becomes its milliseconds. */
export type Parameter = string | number | bigint | Date | undefined;

const maxInteger = 2n ** 63n - 1n;

/**
 * Converts a parameter to a value that SQLite stores exactly. Throws a RangeError for a value that SQLite would
 * silently change: text with NUL or half a surrogate pair (two names would become one), fractions, integers beyond 64
 * bits.
 */
export function toSqliteValue(value: Parameter): SqliteValue {
  if (value === undefined) return null;
  if (typeof value === "string") return storableText(value);
  if (typeof value === "bigint") return storableInteger(value);
  const number = typeof value === "number" ? value : value.getTime();
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`A number or date for SQLite must be a safe integer, not ${number}.`);
}

/** Returns the integer when it fits into 64 bits. Throws a RangeError otherwise. */
export function storableInteger(value: bigint): bigint {
  if (value <= maxInteger && value >= -maxInteger) return value;
  throw new RangeError(
    `SQLite stores integers from -${maxInteger} to ${maxInteger}, and ${value} is outside that range.`,
  );
}

/**
 * Returns the text for a lookup, or undefined when no row can contain it: undefined becomes NULL, which equals nothing.
 */
export function searchable(text: string): string | undefined {
  return isStorable(text) ? text : undefined;
}

function storableText(text: string): string {
  if (isStorable(text)) return text;
  throw new RangeError(
    "Text with a NUL character or half a surrogate pair cannot be stored in SQLite. Check the account, id, name or reason that was passed.",
  );
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && !/\p{Surrogate}/u.test(text);
}
