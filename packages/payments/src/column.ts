/** A value of a column in a SQL store. Undefined is NULL. */
export type ColumnValue = string | bigint | boolean | Date | undefined;

/** A column of a table in a SQL store. A `time` has milliseconds. */
export interface Column<Row> {
  readonly name: string;
  readonly kind: "text" | "integer" | "flag" | "time";
  /** Returns its value in a row. */
  of(row: Row): ColumnValue;
}
