import type { Schema } from "@cfworker/json-schema";

const text = { type: "string" } satisfies Schema;
const schema = { $ref: "#" } satisfies Schema;
const schemas = { type: "object", additionalProperties: schema } satisfies Schema;
const someSchemas = { type: "array", minItems: 1, items: schema } satisfies Schema;
const names = { type: "array", items: text } satisfies Schema;
const pattern = { type: "string", format: "regex" } satisfies Schema;
const count = { type: "integer", minimum: 0 } satisfies Schema;
const typeName = { enum: ["array", "boolean", "integer", "null", "number", "object", "string"] } satisfies Schema;

const each = (keywords: readonly string[], value: Schema): Record<string, Schema> =>
  Object.fromEntries(keywords.map((keyword) => [keyword, value]));

/** Instead of `anyOf`, whose error would not say which alternative failed and why. */
const listOr = (list: Schema, other: Schema): Schema => ({
  allOf: [
    { if: { type: "array" }, else: other },
    { if: { not: { type: "array" } }, else: list },
  ],
});

/**
 * The meta-schema of parameters. It accepts the keywords of draft 2020-12 (https://json-schema.org/draft/2020-12) and of
 * draft-07, which differ little. Other keywords may have any value.
 */
export const parametersMetaSchema: Schema = {
  type: ["object", "boolean"],
  properties: {
    ...each(["$id", "$anchor", "$ref", "title", "description", "format"], text),
    ...each(["$defs", "definitions", "properties", "dependentSchemas"], schemas),
    ...each(["allOf", "anyOf", "oneOf", "prefixItems"], someSchemas),
    ...each(["not", "if", "then", "else", "contains", "propertyNames"], schema),
    ...each(["additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems"], schema),
    ...each(["minProperties", "maxProperties", "minItems", "maxItems", "minLength", "maxLength"], count),
    ...each(["minContains", "maxContains"], count),
    ...each(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], { type: "number" }),
    multipleOf: { type: "number", exclusiveMinimum: 0 },
    type: listOr({ minItems: 1, uniqueItems: true, items: typeName }, typeName),
    enum: { type: "array", minItems: 1 },
    pattern,
    patternProperties: { type: "object", propertyNames: pattern, additionalProperties: schema },
    required: names,
    dependentRequired: { type: "object", additionalProperties: names },
    dependencies: { type: "object", additionalProperties: listOr(names, schema) },
    items: listOr(someSchemas, schema),
    uniqueItems: { type: "boolean" },
  },
};
