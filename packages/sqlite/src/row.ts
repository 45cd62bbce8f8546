/**
 * Reads the columns of one row as typed values. Throws when a column has another type, which means that something else
 * wrote to the database.
 */
export class Row {
  readonly #columns: Readonly<Record<string, unknown>>;

  constructor(columns: unknown) {
    this.#columns = isRecord(columns) ? columns : {};
  }

  text(column: string): string {
    return this.optionalText(column) ?? this.#reject(column, "text");
  }

  optionalText(column: string): string | undefined {
    const value = this.#columns[column];
    if (value === null) return undefined;
    return typeof value === "string" ? value : this.#reject(column, "text");
  }

  /** Reads text that must be one of the choices. */
  oneOf<Choice extends string>(column: string, choices: readonly Choice[]): Choice {
    const text = this.text(column);
    return choices.find((choice) => choice === text) ?? this.#reject(column, `one of ${choices.join(", ")}`);
  }

  /** Parses a column of JSON text. Returns undefined when it is NULL. */
  optionalJson(column: string): unknown {
    const text = this.optionalText(column);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Parses a column of JSON text and checks it with the guard. */
  json<Value>(column: string, isValue: (value: unknown) => value is Value): Value {
    const value: unknown = JSON.parse(this.text(column));
    return isValue(value) ? value : this.#reject(column, "JSON as the store writes it");
  }

  /** Parses a column of text with the function, which throws unless the text is as the store writes it. */
  parsed<Value>(column: string, parse: (text: string) => Value): Value {
    const text = this.text(column);
    try {
      return parse(text);
    } catch {
      return this.#reject(column, "JSON as the store writes it");
    }
  }

  /** Reads 0 or 1 as false or true. */
  optionalFlag(column: string): boolean | undefined {
    const value = this.optionalInteger(column);
    return value === undefined ? undefined : value !== 0n;
  }

  integer(column: string): bigint {
    return this.optionalInteger(column) ?? this.#reject(column, "an integer");
  }

  /** Reads a date that is stored in milliseconds. */
  time(column: string): Date {
    return new Date(Number(this.integer(column)));
  }

  optionalTime(column: string): Date | undefined {
    const milliseconds = this.optionalInteger(column);
    return milliseconds === undefined ? undefined : new Date(Number(milliseconds));
  }

  optionalInteger(column: string): bigint | undefined {
    const value = this.#columns[column];
    if (value === null) return undefined;
    return typeof value === "bigint" ? value : this.#reject(column, "an integer");
  }

  #reject(column: string, expected: string): never {
    throw new TypeError(
      `The column ${column} of a tollgate_ table does not hold ${expected}. Check whether another program changed the database.`,
    );
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The size of a row, which SQLite returns without reading the text. */
export interface Sized {
  readonly bytes: number;
}

/** Reads the column `bytes`. */
export const toSized = (row: Row): Sized => ({ bytes: Number(row.integer("bytes")) });
