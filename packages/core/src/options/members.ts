import * as v from "valibot";
import { nearest } from "./nearest.ts";

/**
 * Makes the schema of an object of options. It reports every unknown member with the nearest known name, and treats an
 * undefined member as absent. `what` is a noun with its article, such as "a plan".
 */
export function optionMembers<const Entries extends v.ObjectEntries>(what: string, entries: Entries) {
  const names = Object.keys(entries);
  return v.pipe(
    v.custom<object>(isObject, ({ input }) => `must be an object with the members of ${what}, not ${describe(input)}`),
    v.transform(withoutUndefined),
    v.looseObject(entries, `is missing. It is required in ${what}`),
    v.rawCheck(({ dataset, addIssue }) => {
      const input: object = dataset.value === undefined ? {} : Object(dataset.value);
      for (const [key, value] of Object.entries(input)) {
        if (names.includes(key)) continue;
        addIssue({
          message: unknownMember(what, names, key),
          path: [{ type: "object", origin: "key", input: { ...input }, key, value }],
        });
      }
    }),
  );
}

/** Returns the message for an unknown member, without its full stop. */
export function unknownMember(what: string, names: readonly string[], name: string): string {
  const suggestion = nearest(name, names);
  return suggestion === undefined
    ? `is not a member of ${what}. Remove it; the members are ${names.join(", ")}`
    : `is not a member of ${what}. Did you mean ${suggestion}?`;
}

/** Describes an invalid value in a few words. Long text is not quoted. */
export function describe(value: unknown): string {
  if (value === null || ["undefined", "number", "bigint", "boolean"].includes(typeof value)) return String(value);
  if (typeof value === "string") return value.length > 40 ? "a long string" : `the string ${JSON.stringify(value)}`;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  return value instanceof Date ? `the date ${String(value)}` : "an object";
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
