import { isJsonObject, type JsonObject } from "../../src/wire/json.ts";
import { isChoice } from "../../src/wire/shape-choices.ts";

/** Inputs by which a lazy schema chooses that does not list its options. A free object comes last. */
const samples: readonly unknown[] = [{ type: "text" }, { type: "image_url" }, [], "", {}];

/**
 * Converts the valibot schema of a request to JSON Schema (2020-12). A schema in `names` becomes a reference to the
 * component with its name. Throws for a schema that it does not know, so that none is left out.
 */
export function jsonSchemaOf(schema: unknown, names: ReadonlyMap<unknown, string>): JsonObject {
  const name = names.get(schema);
  return name === undefined ? definitionOf(schema, names) : { $ref: `#/components/schemas/${name}` };
}

/** Returns the JSON Schema itself, also of a schema with a name. */
export function definitionOf(schema: unknown, names: ReadonlyMap<unknown, string>): JsonObject {
  if (!isJsonObject(schema)) throw new Error("A request has a value that is not a schema. Convert it here.");
  const { pipe, entries, type } = schema;
  if (Array.isArray(pipe)) return Object.assign({}, ...pipe.map((each) => partOf(each, schema, names)));
  if (isJsonObject(entries)) return objectOf(entries, type !== "strict_object", names);
  return simpleOf(schema, names);
}

function simpleOf(schema: JsonObject, names: ReadonlyMap<unknown, string>): JsonObject {
  const { type, item, wrapped, options, literal, getter } = schema;
  switch (type) {
    case "string":
    case "number":
    case "boolean":
      return { type };
    case "literal":
      return { const: literal };
    case "picklist":
      return { type: "string", enum: options };
    case "array":
      return { type: "array", items: jsonSchemaOf(item, names) };
    case "nullish":
      return nullable(jsonSchemaOf(wrapped, names));
    case "variant":
      return anyOf(Array.isArray(options) ? options : [], names);
    case "lazy":
      if (isChoice(schema)) return anyOf(schema.options(), names);
      return anyOf(typeof getter === "function" ? samples.map((sample) => getter(sample)) : [], names);
    case "custom":
      return { type: "object", additionalProperties: true };
    default:
      throw new Error(`A request has a schema of the type ${String(type)}. Convert it here.`);
  }
}

/** A pipe begins with the schema itself, as valibot makes it. */
function partOf(part: unknown, whole: JsonObject, names: ReadonlyMap<unknown, string>): JsonObject {
  if (!isJsonObject(part)) return {};
  if (part["kind"] === "schema") return definitionOf({ ...part, pipe: undefined }, names);
  const { type, requirement } = part;
  switch (type) {
    case "integer":
    case "safe_integer":
      return { type: "integer" };
    case "min_value":
      return { minimum: requirement };
    case "max_value":
      return { maximum: requirement };
    case "min_length":
      return { minItems: requirement };
    case "max_length":
      return { maxItems: requirement };
    case "check":
      // The only check of a request is that of an image's URL.
      return { format: "uri" };
    default:
      throw new Error(`${String(whole["type"])} has a check of the type ${String(type)}. Convert it here.`);
  }
}

function objectOf(entries: JsonObject, open: boolean, names: ReadonlyMap<unknown, string>): JsonObject {
  const members = Object.entries(entries);
  const required = members.filter(([, schema]) => isJsonObject(schema) && schema["type"] !== "nullish");
  return {
    type: "object",
    ...(members.length === 0
      ? {}
      : { properties: Object.fromEntries(members.map(([name, schema]) => [name, jsonSchemaOf(schema, names)])) }),
    ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
    additionalProperties: open,
  };
}

function anyOf(schemas: readonly unknown[], names: ReadonlyMap<unknown, string>): JsonObject {
  const choices = schemas.map((schema) => [JSON.stringify(jsonSchemaOf(schema, names)), schema] as const);
  return { anyOf: [...new Map(choices).values()].map((schema) => jsonSchemaOf(schema, names)) };
}

/** A listed optional member that is null counts as absent. */
function nullable(schema: JsonObject): JsonObject {
  if (Array.isArray(schema["anyOf"])) return { anyOf: [...schema["anyOf"], { type: "null" }] };
  if (typeof schema["type"] === "string" && schema["enum"] === undefined)
    return { ...schema, type: [schema["type"], "null"] };
  return { anyOf: [schema, { type: "null" }] };
}
