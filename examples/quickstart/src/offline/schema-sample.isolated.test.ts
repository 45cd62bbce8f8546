import { fc, test } from "@fast-check/vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../json-object.ts";
import { readHints } from "./hints.ts";
import { sampleSchema } from "./schema-sample.ts";

vi.mock("./timed-pattern.ts", async () => ({
  TimedPattern: (await import("../../test-support/untimed-pattern.ts")).UntimedPattern,
}));

const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
addFormats.default(ajv);

const problems = (schema: JsonObject, message: string): unknown => {
  const validate = ajv.compile(schema);
  const sample = sampleSchema(schema, readHints(message));
  return validate(sample) ? [] : { sample, errors: validate.errors };
};

const sample = (schema: JsonObject, message = "") => sampleSchema(schema, readHints(message));

describe("a sample of a random schema", () => {
  const message = fc.oneof(
    fc.string(),
    fc.constantFrom('weather in "Rome" for 3 days', "mail ada@example.org on 2026-05-06", "no, 7.5 and -2 and 'x y'"),
  );
  test.prop([schemas(), message], { numRuns: 500 })("is accepted by the schema", (schema, text) => {
    expect(problems(schema, text)).toEqual([]);
  });

  test.prop([schemas(), message])("is the same each time", (schema, text) => {
    expect(sample(schema, text)).toEqual(sample(schema, text));
  });
});

describe("recursion", () => {
  const tree = {
    $defs: {
      node: {
        type: "object",
        properties: {
          value: { type: "integer" },
          next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] },
          children: { type: "array", items: { $ref: "#/$defs/node" } },
          parent: { $ref: "#" },
        },
        required: ["value", "next", "children"],
        additionalProperties: false,
      },
    },
    $ref: "#/$defs/node",
  };

  it("ends where the schema allows it", () => {
    expect(problems(tree, "the 5 nodes")).toEqual([]);
  });

  it("ends even if the schema requires infinite nesting", () => {
    const endless = { type: "object", properties: { self: { $ref: "#" } }, required: ["self"] };
    const loop = { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" };
    const wide = { allOf: [{ $ref: "#" }, { $ref: "#" }], required: ["x", "y"], properties: { x: { $ref: "#" } } };
    expect([endless, loop, wide].map((schema) => JSON.stringify(sample(schema)).length < 100_000)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe("values from the message", () => {
  const weather = {
    type: "object",
    properties: {
      city: { type: "string" },
      days: { type: "integer", minimum: 1, maximum: 10 },
      unit: { enum: ["celsius", "fahrenheit"] },
    },
    required: ["city"],
  };

  it("fills strings with quoted texts, numbers with numbers and enums with words", () => {
    const expected = { city: "Rome", days: 3, unit: "fahrenheit" };
    expect(sample(weather, 'Weather for "Rome", 99 no, 3 days, in Fahrenheit')).toEqual(expected);
  });

  it("fills a string with the whole message if nothing is quoted, and the next one with its property name", () => {
    const two = { type: "object", properties: { query: { type: "string" }, note: { type: "string" } } };
    expect(sample(two, "cats in boots")).toEqual({ query: "cats in boots", note: "note" });
  });

  it("finds an email address, a date and a URL by format", () => {
    const schema = {
      properties: {
        to: { type: "string", format: "email" },
        on: { type: "string", format: "date" },
        at: { type: "string", format: "uri" },
      },
    };
    const message = "write ada@example.org on 2026-05-06 about https://example.net/a";
    expect(sample(schema, message)).toEqual({ to: "ada@example.org", on: "2026-05-06", at: "https://example.net/a" });
  });

  it("returns false if the message contains a negation", () => {
    expect(sample({ type: "boolean" }, "without sugar")).toBe(false);
    expect(sample({ type: "boolean" }, "sugar, notably")).toBe(true);
  });
});

it("prefers const and default to the message", () => {
  const schema = { properties: { kind: { const: "tea" }, cups: { type: "integer", default: 2 } } };
  expect(sample(schema, "5 coffees")).toEqual({ kind: "tea", cups: 2 });
});

it("merges the schemas of allOf", () => {
  const schema = {
    allOf: [
      { properties: { a: { type: "integer", minimum: 4 } }, required: ["a"] },
      { properties: { a: { maximum: 5 }, b: { type: "string" } }, required: ["b"] },
    ],
  };
  expect(problems(schema, "9 lives")).toEqual([]);
});

it("handles a property named __proto__", () => {
  const schema = { properties: JSON.parse('{"__proto__": {"type": "integer"}}'), required: ["__proto__"] };
  expect(JSON.stringify(sample(schema))).toBe('{"__proto__":1}');
});

function schemas(): fc.Arbitrary<JsonObject> {
  const limit = fc.integer({ min: -20, max: 20 });
  const count = fc.integer({ min: 0, max: 4 });
  // Ajv refuses a property of this name beside "additionalProperties: false", although the schema has it.
  const name = fc.string().filter((text) => text !== "__proto__");
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const optional = { requiredKeys: [] };
  return fc.letrec<{ any: JsonObject; object: JsonObject }>((node) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc
        .record({ low: limit, span: fc.integer({ min: 1, max: 30 }), open: fc.boolean(), type: numberType() })
        .map(({ low, span, open, type }) => ({
          type,
          ...(open
            ? { exclusiveMinimum: low, exclusiveMaximum: low + span + 1 }
            : { minimum: low, maximum: low + span }),
        })),
      fc.record({ type: numberType(), minimum: limit, multipleOf: fc.constantFrom(1, 2, 5, 0.5) }),
      fc
        .record({ minLength: count, more: count })
        .map(({ minLength, more }) => ({ type: "string", minLength, maxLength: minLength + more })),
      fc.record({ type: fc.constant("string"), format: fc.constantFrom(...formats) }),
      fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^[A-Z]{3}$", "^\\d+-(a|b)$", "x") }),
      fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
      fc.record({ const: scalar }),
      fc.record({ type: fc.constantFrom("boolean", "null", ["string", "null"], ["null", "integer"], "string") }),
      fc.record({ type: fc.constant("integer"), default: fc.integer() }),
      fc.record({ type: fc.constant("array"), items: node("any"), minItems: count }, { requiredKeys: ["type"] }),
      fc.record({ type: fc.constant("array"), prefixItems: fc.array(node("any"), { minLength: 1, maxLength: 3 }) }),
      fc.record({
        type: fc.constant("array"),
        items: fc.constantFrom({ type: "integer" }, { type: "string" }),
        minItems: count,
        uniqueItems: fc.constant(true),
      }),
      fc.record({ anyOf: fc.array(node("any"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ oneOf: fc.tuple(node("object"), fc.constant({ type: "null" })) }),
      fc.record({ allOf: fc.tuple(node("any")) }),
      node("object"),
    ),
    object: fc
      .record(
        { properties: fc.dictionary(name, node("any"), { maxKeys: 4 }), extra: fc.boolean(), all: fc.boolean() },
        optional,
      )
      .map(({ properties = {}, extra, all }) => ({
        type: "object",
        properties,
        ...(extra ? {} : { additionalProperties: false }),
        required: all ? Object.keys(properties) : [],
      })),
  })).any;
}

function numberType(): fc.Arbitrary<string> {
  return fc.constantFrom("number", "integer");
}

const formats = ["date", "time", "date-time", "email", "uri", "uuid", "hostname", "ipv4", "ipv6", "duration"];
