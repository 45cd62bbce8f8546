/** Throws an error that names what was expected, unless both values are equal as JSON. Bigints are written as digits. */
export function requireEqual(actual: unknown, expected: unknown, what: string): void {
  const [is, wanted] = [shown(actual), shown(expected)];
  if (is !== wanted) throw new Error(`${what}: expected ${wanted}, got ${is}`);
}

/** Throws an error with the sentence unless the condition is true. */
export function requireTrue(condition: boolean, problem: string): void {
  if (!condition) throw new Error(problem);
}

/** Throws an error unless `least <= amount <= most`. */
export function requireWithin(amount: bigint, { least, most }: Bounds, what: string): void {
  requireTrue(least <= amount && amount <= most, `${what}: expected ${least} to ${most}, got ${amount}`);
}

/** The least and the most that an amount may be, in nano-units. */
export interface Bounds {
  readonly least: bigint;
  readonly most: bigint;
}

/** Returns a value as a reader of a failure sees it. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (typeof member === "bigint" ? String(member) : member)) ?? "undefined";
