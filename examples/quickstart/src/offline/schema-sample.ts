import type { Json } from "@tollgate/core/provider";
import { isJsonObject, type JsonObject } from "../json-object.ts";
import type { Hints } from "./hints.ts";
import { sampleNumber } from "./sample-number.ts";
import { sampleString } from "./sample-string.ts";
import { isLeaf, resolveSchema } from "./schema-resolve.ts";

/** The state of sampling: the current depth and the remaining number of values. */
interface SampleContext {
  readonly root: JsonObject;
  readonly hints: Hints;
  readonly depth: number;
  readonly budget: { left: number };
}

const maxOptionalDepth = 4;
const maxDepth = 40;
const maxValues = 1_000;

/**
 * Returns a value that is valid against a JSON Schema (draft 2020-12). It is the same for the same schema and hints. It
 * supports `$ref` inside the schema, `allOf`, `anyOf`, `oneOf`, `const`, `enum`, `default`, formats and bounds; it ignores
 * `not`, `if`, `contains` and `patternProperties`. Recursion ends as soon as the schema allows it.
 */
export function sampleSchema(schema: JsonObject, hints: Hints): Json {
  return sample(schema, "value", { root: schema, hints, depth: 0, budget: { left: maxValues } });
}

function sample(schema: unknown, name: string, context: SampleContext): Json {
  context.budget.left -= 1;
  if (!isJsonObject(schema)) return name;
  if (context.depth > maxDepth || context.budget.left < -maxValues) return null;
  const resolved = resolveSchema(schema, context.root, (branches) => pickBranch(branches, context));
  if (resolved["const"] !== undefined) return asJson(resolved["const"]);
  const listed = resolved["enum"];
  if (Array.isArray(listed)) return pickListed(listed, resolved["default"], context.hints);
  if (resolved["default"] !== undefined) return asJson(resolved["default"]);
  return sampleType(typeOf(resolved), resolved, name, context);
}

function sampleType(type: string, schema: JsonObject, name: string, context: SampleContext): Json {
  switch (type) {
    case "object":
      return sampleObject(schema, context);
    case "array":
      return sampleArray(schema, name, context);
    case "number":
    case "integer":
      return sampleNumber(schema, context.hints, type === "integer");
    case "boolean":
      return !["false", "no", "not", "off", "without"].some(context.hints.mentions);
    case "null":
      return null;
    default:
      return sampleString(schema, context.hints, name);
  }
}

function sampleObject(schema: JsonObject, context: SampleContext): Json {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const optional = isMinimal(context) ? [] : Object.keys(properties).filter((name) => properties[name] !== false);
  const inside = { ...context, depth: context.depth + 1 };
  const entries = [...new Set([...optional, ...required])].map((name): [string, Json] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : schema["additionalProperties"];
    return [name, sample(property, name, inside)];
  });
  return Object.fromEntries(entries);
}

function sampleArray(schema: JsonObject, name: string, context: SampleContext): Json {
  const first = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
  const min = Number(schema["minItems"] ?? 0);
  const max = Number(schema["maxItems"] ?? Infinity);
  const length = isMinimal(context) || schema["items"] === false ? min : Math.max(min, first.length, 1);
  const inside = { ...context, depth: context.depth + 1 };
  const items: Json[] = [];
  while (items.length < Math.min(length, max, maxValues)) {
    const item = sample(first[items.length] ?? schema["items"], name, inside);
    items.push(schema["uniqueItems"] === true ? distinct(item, items) : item);
  }
  return items;
}

/** Beyond the depth or the budget, a sample has only required values. */
const isMinimal = (context: SampleContext): boolean => context.depth >= maxOptionalDepth || context.budget.left <= 0;

function pickBranch(branches: readonly unknown[], context: SampleContext): unknown {
  const ordered = isMinimal(context) ? branches.toSorted((a, b) => Number(isLeaf(b)) - Number(isLeaf(a))) : branches;
  return ordered[0];
}

function pickListed(listed: readonly unknown[], preferred: unknown, hints: Hints): Json {
  const mentioned = listed.find((value) => typeof value === "string" && hints.mentions(value));
  return asJson(mentioned ?? preferred ?? listed[0]);
}

function typeOf(schema: JsonObject): string {
  const { type } = schema;
  const named = Array.isArray(type) ? (type.find((each) => each !== "null") ?? type[0]) : type;
  if (typeof named === "string") return named;
  if ("properties" in schema || "required" in schema || "additionalProperties" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";
  return "minimum" in schema || "maximum" in schema || "multipleOf" in schema ? "number" : "string";
}

function distinct(item: Json, before: readonly Json[]): Json {
  const used = new Set(before.map((each) => JSON.stringify(each)));
  let next = item;
  for (let attempt = 2; used.has(JSON.stringify(next)); attempt += 1) {
    if (typeof item === "number") next = item + attempt - 1;
    else if (typeof item === "string") next = `${item} ${attempt}`;
    else return item;
  }
  return next;
}

/** Narrows a value that JSON.parse returned to `Json`. */
function asJson(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (Array.isArray(value)) return value.map(asJson);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]): [string, Json] => [name, asJson(each)]))
    : null;
}
