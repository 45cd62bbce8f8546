import { csvLine } from "@tollgate/core/internal";
import type * as v from "valibot";
import { isNullable, isObject } from "../schemas/shape.ts";

/** A column: its name, and the path of its value in a row. */
export interface Column {
  readonly name: string;
  readonly path: readonly string[];
}

/** Returns the columns of rows of a schema. The members of an object become columns of their own, such as `tokens.input`. */
export function columnsOf(schema: v.GenericSchema, path: readonly string[] = []): readonly Column[] {
  const { entries } = entriesOf(schema);
  if (entries === undefined) return [{ name: path.join("."), path }];
  return Object.entries(entries).flatMap(([name, entry]) => columnsOf(entry, [...path, name]));
}

/** Returns the first line, with the names of the columns. */
export const csvHead = (columns: readonly Column[]): string => csvLine(columns.map(({ name }) => name));

/** Returns the line of a row. */
export const csvRow = (columns: readonly Column[], row: unknown): string =>
  csvLine(columns.map(({ path }) => path.reduce(memberOf, row)));

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Finds the members of an object schema, also of one that may be null. */
function entriesOf(schema: v.GenericSchema): { readonly entries?: v.ObjectEntries } {
  if (isNullable(schema)) return entriesOf(schema.wrapped);
  return isObject(schema) ? schema : {};
}
