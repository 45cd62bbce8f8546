import type { ChatCompletionRequest, JsonObject } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";
import type { OutputConfig, TextBlock } from "./messages-api.ts";

/** A response format for the API: an output format, or an instruction for `system`. */
export interface Format {
  readonly format?: OutputConfig["format"];
  readonly instruction?: TextBlock;
}

/**
 * Maps `response_format` to structured output. The API has no format for an arbitrary JSON object, and its newer models
 * reject a forced tool, so `json_object` becomes an instruction.
 * Follows https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
export function toFormat({ response_format: requested }: ChatCompletionRequest): Format {
  if (requested == null) return {};
  if (requested.type === "json_object") return { instruction: { type: "text", text: onlyJson } };
  return { format: { type: "json_schema", schema: closeObjects(requested.json_schema.schema) } };
}

const onlyJson =
  "Answer with one valid JSON object and nothing else: no words before or after it, and no Markdown around it.";

/** The API requires `additionalProperties` on every object. False is valid wherever the schema does not set it. */
function closeObjects(schema: JsonObject): JsonObject {
  const closed: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const nested = nestedSchemas.get(keyword);
    const walked = nested === undefined ? value : nested(value);
    Object.defineProperty(closed, keyword, { value: walked, enumerable: true, configurable: true, writable: true });
  }
  if (schema["type"] !== "object" || schema["additionalProperties"] !== undefined) return closed;
  return { ...closed, additionalProperties: false };
}

const one = (value: unknown): unknown => (isJsonObject(value) ? closeObjects(value) : value);
const list = (value: unknown): unknown => (Array.isArray(value) ? value.map(one) : one(value));
const named = (value: unknown): unknown =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, one(schema)])) : value;

const nestedSchemas: ReadonlyMap<string, (value: unknown) => unknown> = new Map([
  ["properties", named],
  ["$defs", named],
  ["definitions", named],
  ["items", list],
  ["prefixItems", list],
  ["anyOf", list],
  ["oneOf", list],
  ["allOf", list],
]);
