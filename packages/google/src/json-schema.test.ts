import { describe, expect, it } from "vitest";
import { toGeminiSchema } from "./json-schema.ts";

describe("toGeminiSchema", () => {
  it("keeps a schema that the API supports", () => {
    const schema = {
      type: "object",
      title: "T",
      properties: { list: { type: "array", items: { type: ["string", "null"] }, minItems: 1 }, n: { enum: [1, 2] } },
      required: ["list"],
      additionalProperties: false,
    };
    expect(toGeminiSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema })).toEqual(schema);
  });

  it("keeps only $ref next to definitions, and renames definitions to $defs", () => {
    const tree = { type: "object", properties: { next: { $ref: "#/definitions/Tree", description: "The next." } } };
    expect(
      toGeminiSchema({
        $schema: "http://json-schema.org/draft-07/schema#",
        $ref: "#/definitions/Tree",
        definitions: { Tree: tree },
      }),
    ).toEqual({
      $ref: "#/$defs/Tree",
      $defs: { Tree: { type: "object", properties: { next: { $ref: "#/$defs/Tree" } } } },
    });
  });

  it("replaces const by an enum with one value in every subschema", () => {
    const one = { const: "a" };
    const schema = { anyOf: [one], oneOf: [one], prefixItems: [one], items: one, additionalProperties: one };
    const replaced = { enum: ["a"] };
    expect(toGeminiSchema(schema)).toEqual({
      anyOf: [replaced],
      oneOf: [replaced],
      prefixItems: [replaced],
      items: replaced,
      additionalProperties: replaced,
    });
    expect(toGeminiSchema({ type: "boolean", const: true })).toEqual({ type: "boolean" });
  });

  it("does not treat property names as keywords", () => {
    const properties = JSON.parse('{"const":{"type":"string"},"$ref":{"type":"string"},"__proto__":{"const":1}}');
    expect(JSON.stringify(toGeminiSchema({ properties }))).toBe(
      '{"properties":{"const":{"type":"string"},"$ref":{"type":"string"},"__proto__":{"enum":[1]}}}',
    );
  });

  it("does not change values of default, enum and examples", () => {
    const schema = { default: { const: 1, $schema: "x" }, enum: [{ const: 1 }], examples: [{ $ref: "y", a: 1 }] };
    expect(toGeminiSchema(schema)).toEqual(schema);
  });
});
