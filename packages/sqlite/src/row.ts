/** Reads the columns of one row into types; a column that holds something else throws, since the database was changed from outside. */
export class Row {
  readonly #columns: Readonly<Record<string, unknown>>;

  constructor(columns: unknown) {
    this.#columns = isRecord(columns) ? columns : {};
  }

  text(column: string): string {
    return this.optionalText(column) ?? this.#refuse(column, "text");
  }

  optionalText(column: string): string | undefined {
    const value = this.#columns[column];
    if (value === null) return undefined;
    return typeof value === "string" ? value : this.#refuse(column, "text");
  }

  /** Text that is one of the choices. */
  oneOf<Choice extends string>(column: string, choices: readonly Choice[]): Choice {
    const text = this.text(column);
    return choices.find((choice) => choice === text) ?? this.#refuse(column, `one of ${choices.join(", ")}`);
  }

  /** What a column of JSON text holds; undefined when it is NULL. */
  optionalJson(column: string): unknown {
    const text = this.optionalText(column);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** What a column of JSON text holds, which must be as the guard says. */
  json<Value>(column: string, isValue: (value: unknown) => value is Value): Value {
    const value: unknown = JSON.parse(this.text(column));
    return isValue(value) ? value : this.#refuse(column, "JSON of the kind that the store writes");
  }

  /** What a reader makes of a column of text, which must be as the store writes it. */
  read<Value>(column: string, reader: (text: string) => Value): Value {
    const text = this.text(column);
    try {
      return reader(text);
    } catch {
      return this.#refuse(column, "JSON of the kind that the store writes");
    }
  }

  integer(column: string): bigint {
    return this.#optionalInteger(column) ?? this.#refuse(column, "an integer");
  }

  /** A date kept as milliseconds. */
  time(column: string): Date {
    return new Date(Number(this.integer(column)));
  }

  optionalTime(column: string): Date | undefined {
    const milliseconds = this.#optionalInteger(column);
    return milliseconds === undefined ? undefined : new Date(Number(milliseconds));
  }

  #optionalInteger(column: string): bigint | undefined {
    const value = this.#columns[column];
    if (value === null) return undefined;
    return typeof value === "bigint" ? value : this.#refuse(column, "an integer");
  }

  #refuse(column: string, wanted: string): never {
    throw new TypeError(
      `The column ${column} of a tollgate_ table does not hold ${wanted}. Was the database changed by hand?`,
    );
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
