import type { StoredRow } from "./stored-rows.ts";

/**
 * A row whose statement converts every column to text, so that no parser of the client changes an amount or a date. A value that is
 * NULL is undefined.
 */
export class TextRow implements StoredRow {
  readonly #columns: object;

  constructor(columns: unknown) {
    this.#columns = Object(columns);
  }

  text(column: string): string {
    const text = this.optionalText(column);
    if (text === undefined)
      throw new TypeError(
        `The column ${column} is NULL, but its statement must return a value. Check whether another program has changed the table.`,
      );
    return text;
  }

  /** Reads text that must be one of the choices. */
  oneOf<Choice extends string>(column: string, choices: readonly Choice[]): Choice {
    const text = this.text(column);
    const found = choices.find((choice) => choice === text);
    if (found === undefined)
      throw new TypeError(
        `The column ${column} has the unknown value "${text}". Check whether a newer version wrote it, and update this process.`,
      );
    return found;
  }

  optionalText(column: string): string | undefined {
    const value: unknown = Reflect.get(this.#columns, column);
    return typeof value === "string" ? value : undefined;
  }

  /** Reads "true" of PostgreSQL or "1" of ClickHouse as true. */
  optionalFlag(column: string): boolean | undefined {
    const text = this.optionalText(column);
    return text === undefined ? undefined : text === "true" || text === "1";
  }

  integer(column: string): bigint {
    return BigInt(this.text(column));
  }

  optionalInteger(column: string): bigint | undefined {
    const text = this.optionalText(column);
    return text === undefined ? undefined : BigInt(text);
  }

  optionalJson(column: string): unknown {
    const text = this.optionalText(column);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Reads a time that was selected in milliseconds since the Unix epoch. */
  time(column: string): Date {
    return new Date(Number(this.text(column)));
  }

  optionalTime(column: string): Date | undefined {
    return this.optionalText(column) === undefined ? undefined : this.time(column);
  }
}
