import { parseAmount } from "@tollgate/core";
import { unknownMember, wanted } from "@tollgate/core/internal";
import type { JsonMembers } from "@tollgate/core/provider";
import * as v from "valibot";

/** A text of at least one character. */
export const text = v.pipe(
  v.string(wanted("must be a text")),
  v.nonEmpty("must have at least one character"),
  v.maxLength(512, "must have at most 512 characters"),
);

const amountMessage = 'must be an amount of at least 0 as a decimal string with at most 9 decimals, such as "2.50"';

/** An amount of at least 0 in the currency of the host, read as nano-units. */
export const amount = v.pipe(
  v.string(wanted(amountMessage)),
  v.regex(/^\d{1,9}(?:\.\d{1,9})?$/, wanted(amountMessage)),
  v.transform((written) => parseAmount(written)),
);

/** An amount above 0. */
export const positiveAmount = v.pipe(
  amount,
  v.check((nano) => nano > 0n, "must be more than 0"),
);

const timeMessage = 'must be a time with its zone in ISO 8601, such as "2027-01-31T00:00:00Z"';

/** A time with a zone, read as a Date. */
export const time = v.pipe(
  v.string(wanted(timeMessage)),
  v.isoTimestamp(wanted(timeMessage)),
  v.transform((written) => new Date(written)),
  v.check((date) => !Number.isNaN(date.getTime()), timeMessage),
);

/** "true" in a query. There is no "false": leave the member out. */
export const onlyTrue = v.pipe(
  v.picklist(["true"], wanted('must be "true", or absent')),
  v.transform(() => true),
);

/** A whole number in a query. */
export function queryNumber(least: number, most: number) {
  const message = wanted(`must be a whole number from ${least} to ${most}`);
  return v.pipe(
    v.string(message),
    v.regex(/^\d{1,15}$/, message),
    v.transform(Number),
    v.minValue(least, message),
    v.maxValue(most, message),
  );
}

/** A whole number in a body. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const message = wanted(
    `must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}`,
  );
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message));
}

/** A JSON object with any members. */
export const jsonMembers = v.custom<JsonMembers>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  wanted("must be a JSON object"),
);

/** Makes the schema of an object that refuses unknown members, with the nearest known name. `what` is a noun with its article, and
 * `others` are known names whose members are read elsewhere. */
export function members<Entries extends v.ObjectEntries>(
  what: string,
  entries: Entries,
  others: readonly string[] = [],
) {
  const names = [...Object.keys(entries), ...others];
  return v.strictObject(entries, ({ expected, received, input }: v.StrictObjectIssue) => {
    if (expected === "never") return unknownMember(what, names, String(input));
    return expected === "Object" ? `must be ${what}, not ${received}` : `is missing. It is required in ${what}`;
  });
}

/** Returns the entries of an object, each of which may be absent. */
export function optionalEntries<Entries extends v.ObjectEntries>(
  entries: Entries,
): { readonly [Name in keyof Entries]: v.ExactOptionalSchema<Entries[Name], undefined> };
/** The implementation, since types cannot show that every entry keeps its name. */
export function optionalEntries(entries: v.ObjectEntries): v.ObjectEntries {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, v.exactOptional(entry)]));
}

/** Returns the entries of an object, each of which may be null. */
export function nullableEntries<Entries extends v.ObjectEntries>(
  entries: Entries,
): { readonly [Name in keyof Entries]: v.NullableSchema<Entries[Name], undefined> };
/** The implementation, for the same reason. */
export function nullableEntries(entries: v.ObjectEntries): v.ObjectEntries {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, v.nullable(entry)]));
}
