import { isPlainObject } from "@tollgate/core/internal";
import { isLosslessNumber, type JsonObject } from "@tollgate/core/provider";

const schemaMembers: ReadonlySet<string> = new Set(["items", "additionalProperties", "not", "contains"]);
const listMembers: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const mapMembers: ReadonlySet<string> = new Set(["properties", "$defs"]);

/**
 * Maps a JSON Schema to the form that the Gemini API accepts: members next to `$ref` are removed, `const` becomes an
 * `enum` with one value, `definitions` becomes `$defs`, and `$schema` is removed. The API ignores unknown keywords.
 * Follows https://ai.google.dev/api/generate-content#FIELDS.response_json_schema
 */
export function toGeminiSchema(schema: JsonObject): JsonObject {
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const definitions = schema["$defs"] ?? schema["definitions"];
    return {
      $ref: reference.replace(/^#\/definitions\//, "#/$defs/"),
      ...(isPlainObject(definitions) ? { $defs: mapAll(definitions) } : {}),
    };
  }
  return Object.fromEntries(Object.entries(schema).flatMap(([name, value]) => toMember(name, value)));
}

function toMember(name: string, value: unknown): [string, unknown][] {
  if (name === "$schema") return [];
  if (name === "const") return isEnumValue(value) ? [["enum", [value]]] : [];
  if (name === "definitions") return isPlainObject(value) ? [["$defs", mapAll(value)]] : [];
  if (mapMembers.has(name) && isPlainObject(value)) return [[name, mapAll(value)]];
  if (listMembers.has(name) && Array.isArray(value)) return [[name, value.map(mapOne)]];
  return [[name, schemaMembers.has(name) ? mapOne(value) : value]];
}

const isEnumValue = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || isLosslessNumber(value);

const mapAll = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, mapOne(schema)]));

const mapOne = (schema: unknown): unknown => (isPlainObject(schema) ? toGeminiSchema(schema) : schema);
