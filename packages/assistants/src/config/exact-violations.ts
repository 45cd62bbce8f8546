import { isJsonList, isJsonMembers, isJsonObject } from "@tollgate/core/extension";
import { type ExactNumber, isExactNumber, type Json, type JsonMembers, type JsonObject } from "@tollgate/core/provider";
import { compare, isMultiple, toDecimal } from "./decimal.ts";
import { requiredTogether, type SchemaLookup } from "./parameters-graph.ts";
import type { Violation } from "./violations.ts";

/**
 * Checks the exact numbers of a value against `type`, the bounds, `multipleOf`, `const` and `enum` of its schema. The
 * validator has checked the nearest doubles only. Subschemas that need not match, such as those of `anyOf`, are checked
 * by the validator alone.
 */
export function exactViolations(schema: JsonObject, lookup: SchemaLookup, value: Json, pointer = ""): Violation[] {
  return requiredTogether(schema, lookup).flatMap((each) => {
    if (isExactNumber(value)) return checkNumber(each, value).map((expected) => ({ pointer, expected }));
    const children = isJsonList(value) ? itemsOf(each, value) : isJsonMembers(value) ? membersOf(each, value) : [];
    return children.flatMap(({ name, schema: inner, member }) =>
      isJsonObject(inner) ? exactViolations(inner, lookup, member, `${pointer}/${name}`) : [],
    );
  });
}

interface Child {
  readonly name: string;
  readonly schema: unknown;
  readonly member: Json;
}

/** The items of an array with their schemas, in draft 2020-12 or draft-07. */
function itemsOf(schema: JsonObject, items: readonly Json[]): Child[] {
  const { items: rest, prefixItems, additionalItems } = schema;
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(rest) ? rest : [];
  const others = Array.isArray(rest) ? additionalItems : rest;
  return items.map((member, index) => ({
    name: String(index),
    schema: index < first.length ? first[index] : others,
    member,
  }));
}

function membersOf(schema: JsonObject, members: JsonMembers): Child[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const declared = isJsonObject(properties) ? properties : {};
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  return Object.entries(members).flatMap(([key, member]) => {
    const schemas = patterns.filter(([pattern]) => new RegExp(pattern, "u").test(key)).map(([, each]) => each);
    if (Object.hasOwn(declared, key)) schemas.push(declared[key]);
    const name = key.replaceAll("~", "~0").replaceAll("/", "~1");
    return (schemas.length > 0 ? schemas : [additionalProperties]).map((each) => ({ name, schema: each, member }));
  });
}

function checkNumber(schema: JsonObject, value: ExactNumber): string[] {
  const number = toDecimal(value);
  const checkKeyword = (keyword: string, test: (bound: ReturnType<typeof toDecimal>) => boolean) => {
    const bound = schema[keyword];
    return typeof bound !== "number" || test(toDecimal(bound)) ? [] : [`The number violates ${keyword} ${bound}.`];
  };
  const types: readonly unknown[] = [schema["type"]].flat();
  const isWholeOnly = types.includes("integer") && !types.includes("number");
  return [
    ...(isWholeOnly && !isMultiple(number, one) ? ["The number is not whole."] : []),
    ...checkKeyword("minimum", (bound) => compare(number, bound) >= 0),
    ...checkKeyword("maximum", (bound) => compare(number, bound) <= 0),
    ...checkKeyword("exclusiveMinimum", (bound) => compare(number, bound) > 0),
    ...checkKeyword("exclusiveMaximum", (bound) => compare(number, bound) < 0),
    ...checkKeyword("multipleOf", (bound) => isMultiple(number, bound)),
    ...checkKeyword("const", (bound) => compare(number, bound) === 0),
    ...(isAmong(schema["enum"], value) ? [] : ["The number is not one of the values of enum."]),
  ];
}

const one = toDecimal(1);

function isAmong(values: unknown, value: ExactNumber): boolean {
  if (!Array.isArray(values)) return true;
  return values.some((each) => typeof each === "number" && compare(toDecimal(each), toDecimal(value)) === 0);
}
