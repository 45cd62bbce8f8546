import type { OutputUnit } from "@cfworker/json-schema";

/** A place where a value does not fit its schema: the JSON Pointer (RFC 6901) of it, and what was expected there. */
export interface Violation {
  readonly pointer: string;
  readonly expected: string;
}

const longest = 200;

/** Keywords whose error only says that a schema inside them was violated, which follows. */
const wrappers: ReadonlySet<string> = new Set([
  "$ref",
  "allOf",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "dependentSchemas",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "if",
]);
/** Keywords that are violated as a whole: what follows from inside them need not be corrected each. */
const wholes: ReadonlySet<string> = new Set(["anyOf", "oneOf", "contains", "minContains", "maxContains", "not"]);

/** The violations that are to be corrected, each text short whatever the value holds. */
export function violationsOf(errors: readonly OutputUnit[]): Violation[] {
  const whole: string[] = [];
  return errors
    .filter(({ keyword, keywordLocation }) => {
      if (whole.some((location) => keywordLocation.startsWith(`${location}/`))) return false;
      if (wholes.has(keyword)) whole.push(keywordLocation);
      return !wrappers.has(keyword);
    })
    .map(({ instanceLocation, keyword, error }) => ({
      pointer: shorten(decodeURIComponent(instanceLocation.slice(1))),
      expected: keyword === "false" ? "This is not allowed." : shorten(error),
    }));
}

/** A text of at most 200 characters. */
function shorten(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
