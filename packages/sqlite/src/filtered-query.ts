import type { Connection } from "./connection.ts";
import { type Parameter, searchable } from "./parameters.ts";
import type { Row } from "./row.ts";
import type { Query } from "./statement.ts";

/** A condition of a query with the values of its question marks. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Parameter[];
}

/** The condition that a column has a value, or undefined if any value will do. */
export const columnIs = (column: string, value: Parameter): Condition | undefined =>
  value === undefined ? undefined : { sql: `${column} = ?`, values: [value] };

/**
 * A query whose conditions depend on the call. Each combination is its own statement, so that SQLite can use an index,
 * and is prepared once.
 */
export class FilteredQuery<Result> {
  readonly #connection: Connection;
  readonly #select: string;
  readonly #order: string;
  readonly #read: (row: Row) => Result;
  readonly #statements = new Map<string, Query<Result>>();

  constructor(connection: Connection, select: string, order: string, read: (row: Row) => Result) {
    this.#connection = connection;
    this.#select = select;
    this.#order = order;
    this.#read = read;
  }

  /** Returns at most `limit` rows that meet all conditions. No row has text that SQLite cannot store. */
  all(conditions: readonly (Condition | undefined)[], limit: number): Result[] {
    const present = conditions.filter((condition) => condition !== undefined);
    const values = present.flatMap((condition) => condition.values);
    if (values.some((value) => typeof value === "string" && searchable(value) === undefined)) return [];
    const where = present.map(({ sql }) => sql).join(" AND ");
    return this.#statement(where).all(...values, limit);
  }

  #statement(where: string): Query<Result> {
    const sql = `${this.#select} ${where === "" ? "" : `WHERE ${where}`} ${this.#order} LIMIT ?`;
    const statement = this.#statements.get(where) ?? this.#connection.query(sql, this.#read);
    this.#statements.set(where, statement);
    return statement;
  }
}
