/** A column of the input of a statement, and its type. */
export type InputColumn<Name extends string> = readonly [name: Name, type: string];

/**
 * Selects the rows of an input that has one array parameter for each column, the first of them $`first`, and numbers them
 * from 1 as `place`. Arrays are parsed in a fraction of the time of JSON objects, and the planner knows their lengths.
 */
export function inputRows(columns: readonly InputColumn<string>[], first: number): string {
  const names = columns.map(([name]) => name).join(", ");
  const arrays = columns.map(([, type], at) => `$${first + at}::${type}[]`).join(", ");
  return `SELECT ${names}, place::int AS place FROM unnest(${arrays}) WITH ORDINALITY AS asked (${names}, place)`;
}

/**
 * A condition that is true for every number from 0 on. PostgreSQL expects that one row meets it, so it finds the rows of a table that
 * is joined with these by its index. Without the condition it scans the whole table while that is small, and a connection that keeps
 * the plan still scans it when it is large.
 */
export const seemsRare = (number: string): string => `${number} BETWEEN 0 AND ${2n ** 63n - 1n}`;

/** The parameters of {@link inputRows}. Numbers need no escapes, so their columns are literals, which cost less to write. */
export function inputValues<Name extends string>(
  columns: readonly InputColumn<Name>[],
  rows: readonly Readonly<Record<Name, unknown>>[],
): unknown[] {
  return columns.map(([name, type]) => {
    const column = rows.map((row) => row[name]);
    return numeric.has(type) ? `{${column.map((value) => value ?? "NULL").join(",")}}` : column;
  });
}

const numeric: ReadonlySet<string> = new Set(["bigint", "double precision"]);
