import type { Column } from "@tollgate/payments/store";
import type { Connection } from "../connection.ts";
import type { Parameter } from "../parameters.ts";
import type { Command } from "../statement.ts";

/** Writes the rows of a table whose columns are a list. */
export class WrittenRows<Row> {
  readonly #columns: readonly Column<Row>[];
  readonly #write: Command;

  /** `key` is the column that identifies a row. */
  constructor(connection: Connection, table: string, columns: readonly Column<Row>[], key: string) {
    const names = columns.map(({ name }) => name);
    const replaced = names.map((name) => `${name} = excluded.${name}`);
    const add = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
    this.#columns = columns;
    this.#write = connection.command(`${add} ON CONFLICT (${key}) DO UPDATE SET ${replaced.join(", ")}`);
  }

  /** Adds the row, or replaces the one that there is. */
  write(row: Row): void {
    this.#write.run(...this.#values(row));
  }

  #values(row: Row): Parameter[] {
    return this.#columns.map(({ of }) => {
      const value = of(row);
      return typeof value === "boolean" ? Number(value) : value;
    });
  }
}
