import type { Json } from "@tollgate/core/provider";
import { isJsonObject, type JsonObject } from "../json-object.ts";
import type { Hints } from "./hints.ts";
import { sampleNumber } from "./sample-number.ts";
import { sampleString } from "./sample-string.ts";
import { isLeaf, resolveSchema } from "./schema-resolve.ts";

/** Where the sample stands: how deep it is, and how many values it may still have. */
interface Place {
  readonly root: JsonObject;
  readonly hints: Hints;
  readonly depth: number;
  readonly budget: { left: number };
}

const depthWithOptional = 4;
const greatestDepth = 40;
const mostValues = 1_000;

/**
 * A value that a JSON Schema (draft 2020-12) accepts, the same for the same schema and hints. It honours `$ref`
 * inside the schema, `allOf`, `anyOf`, `oneOf`, `const`, `enum`, `default`, formats and bounds; `not`, `if`, `contains`
 * and `patternProperties` are ignored. Recursion ends at the first place where the schema lets it.
 */
export function sampleSchema(schema: JsonObject, hints: Hints): Json {
  return sample(schema, "value", { root: schema, hints, depth: 0, budget: { left: mostValues } });
}

function sample(schema: unknown, name: string, place: Place): Json {
  place.budget.left -= 1;
  if (!isJsonObject(schema)) return name;
  if (place.depth > greatestDepth || place.budget.left < -mostValues) return null;
  const resolved = resolveSchema(schema, place.root, (branches) => pickBranch(branches, place));
  if (resolved["const"] !== undefined) return asJson(resolved["const"]);
  const listed = resolved["enum"];
  if (Array.isArray(listed)) return pickListed(listed, resolved["default"], place.hints);
  if (resolved["default"] !== undefined) return asJson(resolved["default"]);
  return sampleType(typeOf(resolved), resolved, name, place);
}

function sampleType(type: string, schema: JsonObject, name: string, place: Place): Json {
  switch (type) {
    case "object":
      return sampleObject(schema, place);
    case "array":
      return sampleArray(schema, name, place);
    case "number":
    case "integer":
      return sampleNumber(schema, place.hints, type === "integer");
    case "boolean":
      return !["false", "no", "not", "off", "without"].some(place.hints.mentions);
    case "null":
      return null;
    default:
      return sampleString(schema, place.hints, name);
  }
}

function sampleObject(schema: JsonObject, place: Place): Json {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const optional = isCramped(place) ? [] : Object.keys(properties).filter((name) => properties[name] !== false);
  const inside = { ...place, depth: place.depth + 1 };
  const entries = [...new Set([...optional, ...required])].map((name): [string, Json] => {
    const known = Object.hasOwn(properties, name) ? properties[name] : schema["additionalProperties"];
    return [name, sample(known, name, inside)];
  });
  return Object.fromEntries(entries);
}

function sampleArray(schema: JsonObject, name: string, place: Place): Json {
  const first = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
  const least = Number(schema["minItems"] ?? 0);
  const most = Number(schema["maxItems"] ?? Infinity);
  const wanted = isCramped(place) || schema["items"] === false ? least : Math.max(least, first.length, 1);
  const inside = { ...place, depth: place.depth + 1 };
  const items: Json[] = [];
  while (items.length < Math.min(wanted, most, mostValues)) {
    const item = sample(first[items.length] ?? schema["items"], name, inside);
    items.push(schema["uniqueItems"] === true ? distinct(item, items) : item);
  }
  return items;
}

/** Past the depth or the budget a sample has what it must have and no more. */
const isCramped = (place: Place): boolean => place.depth >= depthWithOptional || place.budget.left <= 0;

function pickBranch(branches: readonly unknown[], place: Place): unknown {
  const ordered = isCramped(place) ? branches.toSorted((a, b) => Number(isLeaf(b)) - Number(isLeaf(a))) : branches;
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
  const taken = new Set(before.map((each) => JSON.stringify(each)));
  let next = item;
  for (let attempt = 2; taken.has(JSON.stringify(next)); attempt += 1) {
    if (typeof item === "number") next = item + attempt - 1;
    else if (typeof item === "string") next = `${item} ${attempt}`;
    else return item;
  }
  return next;
}

/** A value that came out of JSON.parse, as JSON. */
function asJson(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (Array.isArray(value)) return value.map(asJson);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]): [string, Json] => [name, asJson(each)]))
    : null;
}
