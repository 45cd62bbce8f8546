/**
 * One row of an answer, read by column. The statements cast every column to text, so that the type parsers which a
 * host may have set for the whole process never touch an amount or a date.
 */
export class Row {
  readonly #columns: ReadonlyMap<string, unknown>;

  constructor(columns: unknown) {
    this.#columns = new Map(Object.entries(Object(columns)));
  }

  text(column: string): string {
    const text = this.optionalText(column);
    if (text === undefined) throw new TypeError(`The column ${column} is empty. Its statement must always fill it.`);
    return text;
  }

  /** Text that is one of the choices. */
  oneOf<Choice extends string>(column: string, choices: readonly Choice[]): Choice {
    const text = this.text(column);
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new TypeError(`The column ${column} holds "${text}". Was it changed by hand?`);
    return found;
  }

  optionalText(column: string): string | undefined {
    const value = this.#columns.get(column);
    return typeof value === "string" ? value : undefined;
  }

  bigint(column: string): bigint {
    return BigInt(this.text(column));
  }

  optionalJson(column: string): unknown {
    const text = this.optionalText(column);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** A date that was selected by {@link millisecondsOf}. */
  date(column: string): Date {
    return new Date(Number(this.text(column)));
  }

  optionalDate(column: string): Date | undefined {
    return this.optionalText(column) === undefined ? undefined : this.date(column);
  }
}

/** Selects a timestamp as text: milliseconds since the Unix epoch. */
export const millisecondsOf = (timestamp: string): string =>
  `floor(extract(epoch FROM ${timestamp}) * 1000)::bigint::text`;

/** The timestamp that a parameter names in milliseconds since the Unix epoch. */
export const timestampOf = (parameter: string): string =>
  `timestamptz 'epoch' + ${parameter}::bigint * interval '1 millisecond'`;
