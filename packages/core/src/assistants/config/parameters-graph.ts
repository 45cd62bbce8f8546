import { isJsonObject, type JsonObject } from "../../wire/json.ts";

/** All schemas within a schema, by their absolute URI, as the validator has found them. */
export type SchemaLookup = Readonly<Record<string, unknown>>;

/**
 * The schemas that apply to the same value as a schema: those of its `$ref`, `allOf` and so on. Undefined stands for a
 * `$ref` that leads nowhere.
 */
export function appliedTogether(schema: JsonObject, lookup: SchemaLookup): (JsonObject | undefined)[] {
  const lists = [schema["allOf"], schema["anyOf"], schema["oneOf"]].filter(Array.isArray).flat();
  const single = [schema["if"], schema["then"], schema["else"], schema["not"]];
  const dependent = [schema["dependentSchemas"], schema["dependencies"]].filter(isJsonObject).flatMap(Object.values);
  return [...[...lists, ...single, ...dependent].filter(isJsonObject), ...referred(schema, lookup)];
}

/** A schema with those that must hold together with it: through `$ref` and `allOf`, each once. */
export function requiredTogether(schema: JsonObject, lookup: SchemaLookup): JsonObject[] {
  const seen = new Set([schema]);
  for (const each of seen) {
    const all: readonly unknown[] = Array.isArray(each["allOf"]) ? each["allOf"] : [];
    for (const next of [...all, ...referred(each, lookup)]) if (isJsonObject(next)) seen.add(next);
  }
  return [...seen];
}

/** The names that any schema which applies to the value itself declares as `properties`. */
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

/** True when a schema leads back to itself without a step into the value, so that a check of it would never end. */
export function isEndless(lookup: SchemaLookup): boolean {
  const ended = new Set<JsonObject>();
  const open = new Set<JsonObject>();
  const leadsBack = (schema: JsonObject): boolean => {
    if (open.has(schema)) return true;
    if (ended.has(schema)) return false;
    open.add(schema);
    const found = appliedTogether(schema, lookup).some((next) => next !== undefined && leadsBack(next));
    open.delete(schema);
    ended.add(schema);
    return found;
  };
  return Object.values(lookup).filter(isJsonObject).some(leadsBack);
}

function referred(schema: JsonObject, lookup: SchemaLookup): (JsonObject | undefined)[] {
  const uri = schema["__absolute_ref__"];
  if (typeof uri !== "string") return [];
  const target = lookup[uri];
  return typeof target === "boolean" ? [] : [isJsonObject(target) ? target : undefined];
}
