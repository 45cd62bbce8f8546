import * as v from "valibot";

/**
 * Checks options against their schema. Returns a copy without undefined members, or all problems, each with the name of
 * the option, the value, and what to do.
 */
export function readOptions<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
  name = "",
): { readonly output: Output } | { readonly problems: readonly string[] } {
  if (isPromise(value)) return { problems: [name === "" ? `The options are ${promise}` : `\`${name}\` is ${promise}`] };
  const result = v.safeParse(schema, value);
  return result.success
    ? { output: result.output }
    : { problems: result.issues.map((issue) => problemOf(issue, name)) };
}

/** Returns only the problems of a value; empty if it is valid. */
export function problemsOf(schema: v.GenericSchema, value: unknown, name = ""): readonly string[] {
  const reading = readOptions(schema, value, name);
  return "problems" in reading ? reading.problems : [];
}

/** Checks an argument of a method, and returns a copy. Throws a RangeError that lists all problems; `name` is the argument's. */
export function requireArgument<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown, name = ""): Output {
  const reading = readOptions(schema, value, name);
  if ("output" in reading) return reading.output;
  throw new RangeError(reading.problems.join(" "));
}

/** Returns the amount in nano-units if it is a bigint of at least `least`. Throws a RangeError otherwise. */
export function checkedAmount(amount: bigint, least: bigint): bigint {
  if (typeof amount === "bigint" && amount >= least) return amount;
  throw new RangeError(`An amount must be a bigint of at least ${least} nano-units, not ${String(amount)}.`);
}

/** Returns the value if it is a whole number of at least `least`. Throws a RangeError that names it otherwise. */
export function checkedWholeNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(`${name} must be a whole number of at least ${least}, not ${value}.`);
}

/** Checks the options of a factory, and returns a copy. Throws a TypeError that lists all problems; `factory` is its name. */
export function requireOptions<Output>(
  factory: string,
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): Output {
  const reading = readOptions(schema, value);
  if ("output" in reading) return reading.output;
  throw new TypeError(`${factory} cannot start:\n- ${reading.problems.join("\n- ")}`);
}

/** Reports each id that occurs more than once in a list. */
export const uniqueIds = <Item>() =>
  v.rawCheck<Item[]>(({ dataset, addIssue }) => {
    const items: readonly unknown[] = Array.isArray(dataset.value) ? dataset.value : [];
    const ids = items.map(idOf);
    for (const [index, id] of ids.entries()) {
      if (id !== undefined && ids.indexOf(id) < index) addIssue({ message: `has "${id}" twice. Give each its own id` });
    }
  });

function problemOf(issue: v.BaseIssue<unknown>, name: string): string {
  const place = issue.path?.reduce(placeOf, name) ?? name;
  if (isPromise(issue.input)) return `\`${place}\` is ${promise}`;
  const sentence = /[.?]$/.test(issue.message) ? issue.message : `${issue.message}.`;
  return place === "" ? `The options: ${sentence}` : `\`${place}\` ${sentence}`;
}

const promise = "a promise. Await it first, and pass its value.";

/** Returns true for a promise, which a host in JavaScript can pass by mistake. */
export const isPromise = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function";

function placeOf(before: string, { type, key, value }: v.IssuePathItem): string {
  if (type !== "array") return before === "" ? String(key) : `${before}.${String(key)}`;
  const id = idOf(value);
  return id === undefined ? `${before}[${key}]` : `${before} (${id})`;
}

function idOf(item: unknown): string | undefined {
  const id: unknown = typeof item === "object" && item !== null ? Reflect.get(item, "id") : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Returns the message of any thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
