import type { Column } from "@tollgate/payments/store";
import { millisecondsOf, timestampOf } from "../statements/times.ts";

/** Returns the SQL that selects the columns as text. */
export const selected = (columns: readonly Column<never>[], table: string): string =>
  columns.map(({ name, kind }) => `${asText[kind](`${table}.${name}`)} AS ${name}`).join(", ");

/** Returns the names of the columns, for an INSERT. */
export const namesOf = (columns: readonly Column<never>[]): string => columns.map(({ name }) => name).join(", ");

/** Returns the SQL of one parameter for each column, from $1. */
export const parametersOf = (columns: readonly Column<never>[]): string =>
  columns.map(({ kind }, at) => typed[kind](`$${at + 1}`)).join(", ");

/** Returns the SQL that replaces every column of a row that is there by the one that was to be added. */
export const replacing = (columns: readonly Column<never>[]): string =>
  columns.map(({ name }) => `${name} = excluded.${name}`).join(", ");

/** Returns the parameters of a row. */
export const valuesOf = <Row>(columns: readonly Column<Row>[], row: Row): unknown[] =>
  columns.map(({ of }) => {
    const value = of(row);
    if (value instanceof Date) return value.getTime();
    return typeof value === "bigint" ? String(value) : value;
  });

type ByKind = Readonly<Record<Column<never>["kind"], (sql: string) => string>>;

const asText: ByKind = {
  text: (column) => column,
  integer: (column) => `${column}::text`,
  flag: (column) => `${column}::text`,
  time: millisecondsOf,
};

const typed: ByKind = {
  text: (parameter) => parameter,
  integer: (parameter) => `${parameter}::bigint`,
  flag: (parameter) => `${parameter}::boolean`,
  time: timestampOf,
};
