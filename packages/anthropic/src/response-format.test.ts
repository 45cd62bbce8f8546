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

  it("passes an explicitly open schema on, and does not modify its input", () => {
    const schema = { type: "object", additionalProperties: { type: "number" } };
    expect(schemaSent(schema)).toEqual(schema);
    const input = { type: "object" };
    schemaSent(input);
    expect(input).toEqual({ type: "object" });
  });

  it("keeps a property called __proto__", () => {
    const schema: JsonObject = JSON.parse('{"properties":{"__proto__":{"type":"object"}},"__proto__":{"a":1}}');
    expect(JSON.stringify(schemaSent(schema))).toBe(
      '{"properties":{"__proto__":{"type":"object","additionalProperties":false}},"__proto__":{"a":1}}',
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
