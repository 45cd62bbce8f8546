import * as v from "valibot";
import { parseAmount } from "./decimal.ts";
import { describe } from "./members.ts";
import { nearest } from "./nearest.ts";
import { messageOf } from "./problems.ts";

/** A safe integer of at least `least`, and at most `most`. */
export const wholeNumber = (least = 1, most = Number.MAX_SAFE_INTEGER) =>
  v.custom<number>(
    (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most,
    wanted(
      `must be a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}`,
    ),
  );

/** A finite number above zero, or any finite number. */
export const finiteNumber = (above = Number.NEGATIVE_INFINITY) =>
  v.custom<number>(
    (value) => typeof value === "number" && Number.isFinite(value) && value > above,
    wanted(above === 0 ? "must be a number above 0" : "must be a finite number"),
  );

/** True or false. */
export const flag = v.boolean(wanted("must be true or false"));

/** A string with at least one character. */
export const filledText = v.custom<string>(
  (value) => typeof value === "string" && value !== "",
  wanted("must be a string of at least one character"),
);

/** One of a few strings. The message for a misspelt one suggests the nearest. */
export const oneOf = <const Choices extends readonly string[]>(...choices: Choices) =>
  v.picklist(choices, (issue) => {
    const message = wanted(`must be ${choices.map((choice) => `"${choice}"`).join(" or ")}`)(issue);
    const suggestion = typeof issue.input === "string" ? nearest(issue.input, choices) : undefined;
    return suggestion === undefined ? message : `${message}. Did you mean ${suggestion}?`;
  });

/** A Date that is valid; the output is a copy. */
export const date = v.pipe(
  v.custom<Date>(
    (value) => value instanceof Date && !Number.isNaN(value.getTime()),
    wanted('must be a valid Date, such as new Date("2027-01-01T00:00:00Z")'),
  ),
  v.transform((value) => new Date(value)),
);

/** An array of items, or a function that returns one; only an array is checked here, and its items by `list`. */
export function listOrFunction<Item>(
  what: string,
  list: v.GenericSchema<unknown, readonly Item[]> = v.custom<readonly Item[]>(
    Array.isArray,
    wanted(`must be an array of ${what}`),
  ),
) {
  const getter = v.custom<() => readonly Item[]>((value) => typeof value === "function", `must be an array of ${what}`);
  return v.lazy((value) => (typeof value === "function" ? getter : list));
}

/** An array; `what` names its items in the plural. */
export const arrayOf = <Item extends v.GenericSchema>(what: string, item: Item) =>
  v.array(item, wanted(`must be an array of ${what}`));

/** A function; `example` is a sentence that shows one. */
export const functionValue = <Value>(example: string) =>
  v.custom<Value>((value) => typeof value === "function", wanted(`must be a function. ${example}`));

/** An object with these methods. The message describes the value without quoting it, since it may be a secret. */
export const port = <Port>(what: string, methods: readonly (keyof Port & string)[], example: string) =>
  v.custom<Port>(
    (value) => missingMethods(value, methods).length === 0,
    ({ input }) => {
      const missing = missingMethods(input, methods);
      const received = typeof input === "string" ? "a string" : describe(input);
      const isObject = typeof input === "object" && input !== null;
      return `must be ${what}, not ${received}${isObject ? ` without ${missing.join(", ")}` : ""}. Pass one, such as ${example}`;
    },
  );

function missingMethods(value: unknown, methods: readonly string[]): readonly string[] {
  if (typeof value !== "object" || value === null) return methods;
  return methods.filter((method) => typeof Reflect.get(value, method) !== "function");
}

/** A decimal string of at least zero with at most nine decimals. */
export const decimal = v.pipe(
  v.string(wanted('must be a decimal string, such as "2.50"')),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const problem = amountProblem(dataset.value);
    if (problem !== undefined) addIssue({ message: problem });
  }),
);

/** The largest amount that every store can keep: a signed integer of 64 bits. */
const largestAmount = 2n ** 63n - 1n;

/** Nano-units of at least `least` and at most 2^63 - 1, as a bigint or as a decimal string, which becomes a bigint. */
export const amount = (least: bigint) =>
  v.pipe(
    v.custom<bigint | string>(
      (value) => typeof value === "bigint" || typeof value === "string",
      ({ input }) =>
        `must be a decimal string, such as "5.00", or nano-units as a bigint, such as parseAmount("5.00"), not ${describeAmount(input)}`,
    ),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): bigint => {
      const problem = typeof value === "string" ? amountProblem(value) : undefined;
      const nano = typeof value === "bigint" ? value : problem === undefined ? parseAmount(value) : 0n;
      if (problem !== undefined) addIssue({ message: problem });
      else if (nano < least || nano > largestAmount)
        addIssue({ message: `must be from ${least} to 2^63 - 1 nano-units, not ${nano}` });
      else return nano;
      return NEVER;
    }),
  );

const describeAmount = (value: unknown): string =>
  typeof value === "number" ? `the number ${value}` : describe(value);

function amountProblem(text: string): string | undefined {
  if (text.startsWith("-")) return `is ${text}. Give 0 or more`;
  try {
    parseAmount(text);
    return undefined;
  } catch (cause) {
    return messageOf(cause).replace(/\.$/, "");
  }
}

/** Returns the message of an invalid value: what it must be, and what it is. */
export function wanted(sentence: string): (issue: v.BaseIssue<unknown>) => string {
  return ({ input }) => `${sentence}, not ${describe(input)}`;
}

/** The name of an IANA time zone. */
export const timeZone = v.custom<string>(isTimeZone, wanted('must be an IANA time zone, such as "Europe/Berlin"'));

/** True for the name of an IANA time zone that the runtime knows, such as "Europe/Berlin" or "UTC". An offset is not a name. */
export function isTimeZone(value: unknown): boolean {
  if (typeof value !== "string" || !/^[A-Za-z]/.test(value)) return false;
  try {
    // The only way of the language to look up a zone: it throws a RangeError for one that it does not know.
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
