import { toStorableText } from "@tollgate/core/store";

/** Returns a text as a literal. */
export const literal = (text: string): string => `'${text.replace(/[\\']/g, "\\$&").replaceAll("\0", "\\0")}'`;

/** Returns texts as the list of an IN. The list must not be empty. */
export const literals = (texts: Iterable<string>): string => `(${[...texts].map(literal).join(", ")})`;

/** Returns a condition on a text. No row has a text that the stores replace before they write it. */
export const ifStorable = (text: string, condition: (literal: string) => string): string =>
  toStorableText(text) === text ? condition(literal(text)) : "0";

/** Returns the condition that an expression equals a text. */
export const equalSql = (expression: string, text: string): string =>
  ifStorable(text, (equal) => `${expression} = ${equal}`);

/** Writes a time as ClickHouse reads it from JSON and in an IN, in UTC with milliseconds. */
export const timeText = (at: Date): string => at.toISOString().replace("T", " ").replace("Z", "");

/** Returns a time as an expression. */
export const timeSql = (at: Date): string => `toDateTime64('${timeText(at)}', 3, 'UTC')`;

/** The SQL that selects a time as text, in milliseconds since the Unix epoch. */
export const millisecondsOf = (column: string): string => `toString(toUnixTimestamp64Milli(${column}))`;
