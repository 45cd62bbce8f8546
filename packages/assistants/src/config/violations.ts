import type { OutputUnit } from "@cfworker/json-schema";

/** A position, as a JSON Pointer (RFC 6901), at which a value violates its schema, and what is expected there. */
export interface Violation {
  readonly pointer: string;
  readonly expected: string;
}

const maxLength = 200;

/** Keywords whose error only says that a subschema was violated. The error of the subschema follows. */
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
/** Keywords that are reported as a whole, without the errors of their subschemas. */
const composites: ReadonlySet<string> = new Set(["anyOf", "oneOf", "contains", "minContains", "maxContains", "not"]);

/** Selects the errors that a model can correct. Their texts have a limited length. */
export function violationsOf(errors: readonly OutputUnit[]): Violation[] {
  const reported: string[] = [];
  return errors
    .filter(({ keyword, keywordLocation }) => {
      if (reported.some((location) => keywordLocation.startsWith(`${location}/`))) return false;
      if (composites.has(keyword)) reported.push(keywordLocation);
      return !wrappers.has(keyword);
    })
    .map(({ instanceLocation, keyword, error }) => ({
      pointer: shorten(decodeURIComponent(instanceLocation.slice(1))),
      expected: keyword === "false" ? "This is not allowed." : shorten(error),
    }));
}

/** Truncates a text to 200 characters. */
function shorten(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
