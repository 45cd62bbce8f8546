import { isJsonObject } from "@tollgate/core/extension";
import type { JsonObject } from "@tollgate/core/provider";

/** All subschemas of a schema by absolute URI, as `dereference` of the validator returns them. */
export type SchemaLookup = Readonly<Record<string, unknown>>;

/**
 * Returns the schemas that apply to the same value as `schema`: those of its `$ref`, `allOf` and so on. Undefined
 * represents a `$ref` whose target does not exist.
 */
export function appliedTogether(schema: JsonObject, lookup: SchemaLookup): (JsonObject | undefined)[] {
  const lists = [schema["allOf"], schema["anyOf"], schema["oneOf"]].filter(Array.isArray).flat();
  const single = [schema["if"], schema["then"], schema["else"], schema["not"]];
  const dependent = [schema["dependentSchemas"], schema["dependencies"]].filter(isJsonObject).flatMap(Object.values);
  return [...[...lists, ...single, ...dependent].filter(isJsonObject), ...referenced(schema, lookup)];
}

/** Returns `schema` and the schemas that a value must match in addition, through `$ref` and `allOf`, each once. */
export function requiredTogether(schema: JsonObject, lookup: SchemaLookup): JsonObject[] {
  const seen = new Set([schema]);
  for (const each of seen) {
    const all: readonly unknown[] = Array.isArray(each["allOf"]) ? each["allOf"] : [];
    for (const next of [...all, ...referenced(each, lookup)]) if (isJsonObject(next)) seen.add(next);
  }
  return [...seen];
}

/** Returns the names that `schema`, and those that apply to the same value, declare as `properties`. */
export function declaredProperties(root: JsonObject, lookup: SchemaLookup): string[] {
  const seen = new Set([root]);
  const names = new Set<string>();
  for (const schema of seen) {
    const declared = isJsonObject(schema["properties"]) ? schema["properties"] : {};
    for (const name of Object.keys(declared)) names.add(name);
    for (const next of appliedTogether(schema, lookup)) if (next !== undefined) seen.add(next);
  }
  return [...names];
}

/** True when a schema refers to itself for the same value, so that validation would never end. */
export function hasCycle(lookup: SchemaLookup): boolean {
  const done = new Set<JsonObject>();
  const open = new Set<JsonObject>();
  const reachesItself = (schema: JsonObject): boolean => {
    if (open.has(schema)) return true;
    if (done.has(schema)) return false;
    open.add(schema);
    const found = appliedTogether(schema, lookup).some((next) => next !== undefined && reachesItself(next));
    open.delete(schema);
    done.add(schema);
    return found;
  };
  return Object.values(lookup).filter(isJsonObject).some(reachesItself);
}

function referenced(schema: JsonObject, lookup: SchemaLookup): (JsonObject | undefined)[] {
  const uri = schema["__absolute_ref__"];
  if (typeof uri !== "string") return [];
  const target = lookup[uri];
  return typeof target === "boolean" ? [] : [isJsonObject(target) ? target : undefined];
}
