import type { Schema } from "@cfworker/json-schema";

const schema = { $ref: "#" };
const schemas = { type: "object", additionalProperties: schema } satisfies Schema;
const someSchemas = { type: "array", minItems: 1, items: schema } satisfies Schema;
const names = { type: "array", items: { type: "string" } } satisfies Schema;
const pattern = { type: "string", format: "regex" } satisfies Schema;
const number = { type: "number" } satisfies Schema;
const count = { type: "integer", minimum: 0 } satisfies Schema;
const typeName = { enum: ["array", "boolean", "integer", "null", "number", "object", "string"] } satisfies Schema;

/** Written so, it is no member of that name, which would look like a promise. */
const consequence = "then";

/** Not `anyOf`, of which a violation would only tell that neither fits. */
const listOr = (list: Schema, other: Schema): Schema => ({ if: { type: "array" }, [consequence]: list, else: other });

/**
 * What a JSON Schema is, of draft 2020-12 (https://json-schema.org/draft/2020-12) or draft-07, whose keywords differ
 * little: both are accepted. Keywords that it does not list may hold anything.
 */
export const parametersMetaSchema: Schema = {
  type: ["object", "boolean"],
  properties: {
    $id: { type: "string" },
    $anchor: { type: "string" },
    $ref: { type: "string" },
    $defs: schemas,
    definitions: schemas,
    title: { type: "string" },
    description: { type: "string" },
    type: listOr({ minItems: 1, uniqueItems: true, items: typeName }, typeName),
    enum: { type: "array", minItems: 1 },
    format: { type: "string" },
    allOf: someSchemas,
    anyOf: someSchemas,
    oneOf: someSchemas,
    not: schema,
    if: schema,
    else: schema,
    [consequence]: schema,
    properties: schemas,
    patternProperties: { type: "object", propertyNames: pattern, additionalProperties: schema },
    additionalProperties: schema,
    unevaluatedProperties: schema,
    propertyNames: schema,
    required: names,
    dependentRequired: { type: "object", additionalProperties: names },
    dependentSchemas: schemas,
    dependencies: { type: "object", additionalProperties: listOr(names, schema) },
    minProperties: count,
    maxProperties: count,
    items: listOr(someSchemas, schema),
    prefixItems: someSchemas,
    additionalItems: schema,
    unevaluatedItems: schema,
    contains: schema,
    minContains: count,
    maxContains: count,
    minItems: count,
    maxItems: count,
    uniqueItems: { type: "boolean" },
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: { type: "number", exclusiveMinimum: 0 },
    minLength: count,
    maxLength: count,
    pattern,
  },
};
