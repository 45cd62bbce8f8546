/**
 * Reads the columns of one row. The statements cast every column to text, so that type parsers which the host has set
 * for the whole process do not change an amount or a date.
 */
export class Row {
  readonly #columns: object;

  constructor(columns: unknown) {
    this.#columns = Object(columns);
  }

  text(column: string): string {
    const text = this.optionalText(column);
    if (text === undefined)
      throw new TypeError(
        `The column ${column} is NULL, but its statement must return a value. Check whether the schema was changed manually.`,
      );
    return text;
  }

  /** Reads text that must be one of the choices. */
  oneOf<Choice extends string>(column: string, choices: readonly Choice[]): Choice {
    const text = this.text(column);
    const found = choices.find((choice) => choice === text);
    if (found === undefined)
      throw new TypeError(
        `The column ${column} holds the unknown value "${text}". Check whether another program changed it.`,
      );
    return found;
  }

  optionalText(column: string): string | undefined {
    const value: unknown = Reflect.get(this.#columns, column);
    return typeof value === "string" ? value : undefined;
  }

  optionalFlag(column: string): boolean | undefined {
    const text = this.optionalText(column);
    return text === undefined ? undefined : text === "true";
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

  /** Reads a date that was selected with {@link millisecondsOf}. */
  time(column: string): Date {
    return new Date(Number(this.text(column)));
  }

  optionalTime(column: string): Date | undefined {
    return this.optionalText(column) === undefined ? undefined : this.time(column);
  }
}

/** The SQL that selects a timestamp as text, in milliseconds since the Unix epoch. */
export const millisecondsOf = (timestamp: string): string =>
  `floor(extract(epoch FROM ${timestamp}) * 1000)::bigint::text`;

/** The SQL that converts a parameter in milliseconds since the Unix epoch to a timestamp. */
export const timestampOf = (parameter: string): string =>
  `timestamptz 'epoch' + ${parameter}::bigint * interval '1 millisecond'`;
