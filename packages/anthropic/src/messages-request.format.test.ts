import type { ChatCompletionRequest, JsonObject } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { toMessagesRequest } from "./messages-request.ts";

const bodyOf = (members: Partial<ChatCompletionRequest>) =>
  toMessagesRequest(
    {
      model: "m",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
      ],
      ...members,
    },
    { maxTokens: 10, thinking: "adaptive" },
  );

const schemaSent = (schema: JsonObject) =>
  bodyOf({ response_format: { type: "json_schema", json_schema: { name: "s", strict: true, schema } } }).output_config
    ?.format?.schema;

const said = (description: string, type = "string") => ({ type, description });

const closed = (properties: JsonObject) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const membersOf = (count: number, schema: JsonObject) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, schema]));
const optional = (count: number) => membersOf(count, { type: "string" });
const unions = (count: number) => membersOf(count, { type: ["string", "null"] });

describe("response_format", () => {
  it("is mapped to structured output, next to the effort", () => {
    const schema = { type: "object", properties: {}, additionalProperties: false };
    const { output_config: config } = bodyOf({
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "s", schema } },
    });
    expect(config).toEqual({ effort: "low", format: { type: "json_schema", schema } });
  });

  it("sets additionalProperties to false on open objects at every depth, and changes nothing else", () => {
    const open = { type: "object", properties: { type: { type: "string" } } };
    const closed = { ...open, additionalProperties: false };
    const schema = {
      type: "object",
      properties: {
        properties: open,
        list: { type: "array", items: open },
        either: { anyOf: [open, { type: "null" }] },
      },
      $defs: { d: open },
      required: ["list"],
    };
    expect(schemaSent(schema)).toEqual({
      type: "object",
      properties: {
        properties: closed,
        list: { type: "array", items: closed },
        either: { anyOf: [closed, { type: "null" }] },
      },
      $defs: { d: closed },
      required: ["list"],
      additionalProperties: false,
    });
  });

  it("does not modify its input", () => {
    const input = { type: "object", properties: { n: { type: "number", minimum: 1 } } };
    schemaSent(input);
    expect(input).toEqual({ type: "object", properties: { n: { type: "number", minimum: 1 } } });
  });

  // https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
  it.each<[string, JsonObject, JsonObject]>([
    ["minimum and maximum", { type: "integer", minimum: 1, maximum: 9 }, said("{minimum: 1, maximum: 9}", "integer")],
    ["exclusiveMinimum", { type: "number", exclusiveMinimum: 0 }, said("{exclusiveMinimum: 0}", "number")],
    ["multipleOf", { type: "number", multipleOf: 0.01 }, said("{multipleOf: 0.01}", "number")],
    ["minLength and maxLength", { type: "string", minLength: 2, maxLength: 3 }, said("{minLength: 2, maxLength: 3}")],
    [
      "a description before it",
      { type: "string", description: "A name.", maxLength: 3 },
      said("A name.\n\n{maxLength: 3}"),
    ],
    ["minItems above 1", { type: "array", minItems: 2 }, said("{minItems: 2}", "array")],
    [
      "maxItems and uniqueItems",
      { type: "array", maxItems: 2, uniqueItems: true },
      said("{maxItems: 2, uniqueItems: true}", "array"),
    ],
    ["an unknown format", { type: "string", format: "iban" }, said('{format: "iban"}')],
    ["a pattern with look-ahead", { type: "string", pattern: "^(?!a)" }, said('{pattern: "^(?!a)"}')],
    [
      "prefixItems",
      { type: "array", prefixItems: [{ type: "string" }] },
      said('{prefixItems: [{"type":"string"}]}', "array"),
    ],
    ["values that are objects", { enum: [{ a: 1 }] }, { description: '{enum: [{"a":1}]}' }],
  ])("moves %s into the description", (_name, schema, expected) => {
    const wrap = (inner: JsonObject) => ({
      type: "object",
      properties: { x: inner },
      $defs: { d: { anyOf: [inner] } },
    });
    expect(schemaSent(wrap(schema))).toEqual({ ...wrap(expected), additionalProperties: false });
  });

  it("keeps what strict output accepts", () => {
    const schema = {
      type: "object",
      title: "T",
      properties: {
        a: { type: "array", minItems: 1, items: { type: "string", format: "uuid", pattern: "^a+$" } },
        b: { enum: ["x", 1, null], default: "x", description: "B." },
        c: { const: 1 },
        d: { $ref: "#/$defs/d" },
        e: { type: ["string", "null"] },
        f: { allOf: [{ type: "string" }] },
      },
      $defs: { d: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    expect(schemaSent(schema)).toEqual(schema);
  });

  it("names alternatives as the API does, and closes an open object", () => {
    expect(schemaSent({ oneOf: [{ type: "object", properties: {}, additionalProperties: true }] })).toEqual({
      anyOf: [{ type: "object", properties: {}, additionalProperties: false }],
    });
  });

  it.each<[string, JsonObject]>([
    ["a map", { type: "object", properties: { m: { type: "object", additionalProperties: { type: "number" } } } }],
    ["any object", { type: "object", additionalProperties: true }],
    ["a recursive schema", { type: "object", properties: { next: { $ref: "#" } } }],
    [
      "a recursive definition",
      { $ref: "#/$defs/n", $defs: { n: { type: "object", properties: { n: { $ref: "#/$defs/n" } } } } },
    ],
    ["a reference within allOf", { allOf: [{ $ref: "#/$defs/n" }], $defs: { n: closed({}) } }],
    ["25 optional members", { type: "object", properties: optional(25) }],
    ["17 unions", closed(unions(17))],
    ["another document", { type: "object", properties: { a: { $ref: "https://example.com/a.json" } } }],
  ])("describes %s in an instruction, which strict output cannot express", (_name, schema) => {
    const body = bodyOf({ response_format: { type: "json_schema", json_schema: { name: "s", schema } } });
    expect(body.output_config).toBeUndefined();
    expect(body.system?.at(-1)?.text).toContain(JSON.stringify(schema));
  });

  // https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits
  it("is strict with as many optional members and unions as the API accepts", () => {
    const schema = {
      type: "object",
      properties: {
        ...optional(7),
        list: { type: "array", items: { anyOf: [{ type: "null" }, { $ref: "#/$defs/d" }] } },
      },
      required: ["list"],
      additionalProperties: false,
      $defs: { d: { type: "object", properties: { ...unions(15), x: {}, y: {} }, additionalProperties: false } },
    };
    expect(schemaSent(schema)).toEqual(schema);
  });

  it("follows each reference once", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `d${at}`,
        closed({ a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } }),
      ]),
    );
    const schema = { $ref: "#/$defs/d0", $defs: { ...$defs, d60: { type: "string" } } };
    expect(schemaSent(schema)).toEqual(schema);
  });

  it("keeps a property called __proto__", () => {
    const schema: JsonObject = JSON.parse('{"properties":{"__proto__":{"type":"object"}}}');
    expect(JSON.stringify(schemaSent(schema))).toBe(
      '{"properties":{"__proto__":{"type":"object","additionalProperties":false}},"additionalProperties":false}',
    );
  });

  it("is an instruction after the system prompt for json_object", () => {
    const body = bodyOf({ response_format: { type: "json_object" } });
    expect(body.output_config).toBeUndefined();
    expect(body.system).toEqual([
      { type: "text", text: "Be brief." },
      { type: "text", text: expect.stringContaining("one valid JSON object and nothing else") },
    ]);
  });
});
