import type { JsonObject } from "@tollgate/core/provider";
import { expect, it } from "vitest";
import { readParameters } from "./parameters.ts";

const problemsOf = (schema: JsonObject): readonly string[] => {
  const reading = readParameters(schema);
  return "problems" in reading ? reading.problems : [];
};

function parametersOf(schema: JsonObject) {
  const reading = readParameters(schema);
  if ("problems" in reading) throw new Error(reading.problems.join("\n"));
  return reading.parameters;
}

it.each<[string, JsonObject]>([
  [".properties.size.type: ", { properties: { size: { type: "strng" } } }],
  [".properties: ", { properties: ["size"] }],
  [".required: ", { required: "size" }],
  [".properties.size: ", { properties: { size: "string" } }],
  [".properties.size.pattern: ", { properties: { size: { type: "string", pattern: "(" } } }],
  [".properties.size.minLength: ", { properties: { size: { minLength: -1 } } }],
  [".properties.a.b.items.type: ", { properties: { "a.b": { items: { type: 5 } } } }],
  [".allOf: ", { allOf: [] }],
  [".properties.size.exclusiveMinimum: ", { properties: { size: { exclusiveMinimum: true } } }],
])("reports the path of an invalid keyword: %s", (path, schema) => {
  const problems = problemsOf(schema);
  expect(problems).not.toEqual([]);
  expect(problems.filter((problem) => !problem.startsWith(`${path}is not a valid JSON Schema.`))).toEqual([]);
});

it("rejects external, missing, dynamic and circular references", () => {
  const missing = "whose target does not exist. Define the target in the same schema, under $defs.";
  for (const ref of ["https://example.com/a.json", "#/$defs/none", "other.json#/a"]) {
    expect(problemsOf({ properties: { a: { $ref: ref } } })).toEqual([`: has the $ref "${ref}", ${missing}`]);
  }
  expect(problemsOf({ properties: { a: { $dynamicRef: "#a" } } })[0]).toContain("Use $ref.");
  expect(
    problemsOf({ properties: { a: { $ref: "#/$defs/b" } }, $defs: { b: { anyOf: [{ $ref: "#/$defs/b" }] } } }),
  ).toEqual([": has a $ref that refers to itself for the same value. Let it refer to the schema of a member."]);
});

it("rejects a required name that is not declared, which no arguments could have", () => {
  expect(problemsOf({ properties: { a: {} }, required: ["a", "b"] })).toEqual([
    '.required: names "b", which its properties do not declare. Declare it, or do not require it.',
  ]);
});

it("rejects drafts before 06, and schemas that are nested too deeply", () => {
  expect(problemsOf({ $schema: "http://json-schema.org/draft-04/schema#" })[0]).toContain("draft 2020-12");
  let deep: JsonObject = {};
  for (let i = 0; i < 100_000; i++) deep = { not: deep };
  expect(problemsOf(deep)).toEqual([
    ": cannot be parsed as a JSON Schema: it is nested too deeply. Write a simpler one.",
  ]);
});

it("finds properties that references and combinations declare", () => {
  const schema = {
    $ref: "#/$defs/base",
    properties: { a: {} },
    allOf: [{ properties: { b: {} } }, { if: { properties: { c: {} } }, else: { properties: { d: {} } } }],
    $defs: { base: { properties: { e: { properties: { inner: {} } } } } },
  };
  expect(parametersOf(schema).properties.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
});

it("accepts recursive schemas, and does not change the object of the host", () => {
  const schema = {
    properties: { tree: { $ref: "#/$defs/node" } },
    $defs: { node: { properties: { name: { type: "string" }, children: { items: { $ref: "#/$defs/node" } } } } },
  };
  const before = structuredClone(schema);
  const { validate } = parametersOf(Object.freeze(schema));
  expect(validate({ tree: { name: "a", children: [{ name: "b" }] } })).toEqual([]);
  expect(validate({ tree: { name: "a", children: [{ name: 5 }] } })).toMatchObject([
    { pointer: "/tree/children/0/name" },
  ]);
  expect(schema).toStrictEqual(before);
  expect(Object.getOwnPropertyNames(schema)).toEqual(Object.keys(schema));
});

it("validates by draft-07 when `$schema` says so, which ignores keywords beside a reference", () => {
  const schema = {
    properties: { a: { $ref: "#/definitions/b", type: "string" } },
    definitions: { b: { type: "number" } },
  };
  const draft7 = { ...schema, $schema: "http://json-schema.org/draft-07/schema#" };
  expect(parametersOf(draft7).validate({ a: 5 })).toEqual([]);
  expect(parametersOf(schema).validate({ a: 5 })).toHaveLength(1);
  expect(parametersOf({ properties: { a: { items: [{ type: "string" }] } } }).validate({ a: [5] })).toHaveLength(1);
  expect(parametersOf({ properties: { a: { prefixItems: [{ type: "string" }] } } }).validate({ a: [5] })).toHaveLength(
    1,
  );
});
