import { isJsonObject } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import * as v from "valibot";
import { members } from "./members.ts";

type Members = { readonly [key: string]: Json };

const secretValuePattern = String.raw`^[^\p{Cc}\p{Cs}]{4,}$`;
const systemName = /^(?:session|company|assistant|images)(?:\.|\[|$)/;
const secretNamePattern = `^(?!${systemName.source})(?!(?:__proto__|constructor|prototype)$)[A-Za-z_][A-Za-z0-9_.-]{0,127}$`;

const text = v.string("must be a string");
const flag = v.boolean("must be true or false");
const nonEmptyText = v.pipe(text, v.nonEmpty("is empty. Give at least one character"));
const object = v.pipe(v.custom<Members>(isJsonObject, "must be an object"), v.metadata({ type: "object" }));

/** A string that matches a pattern with the flag `u`, which JSON Schema implies. */
const matching = (pattern: string, message: string) => {
  const regularExpression = new RegExp(pattern, "u");
  return v.pipe(
    text,
    v.check((value) => regularExpression.test(value), message),
    v.metadata({ pattern }),
  );
};

const header = members("header", { key: text, value: text });

const body = v.pipe(
  v.custom<Members | string>(
    (value) => typeof value === "string" || isJsonObject(value),
    'must be an object, or a string that is JSON after its variables are inserted, such as {"urls": $images}',
  ),
  v.metadata({ type: ["object", "string"] }),
);

const webhook = members("webhook", {
  type: v.literal("WEBHOOK", 'must be "WEBHOOK"'),
  url: v.pipe(text, v.nonEmpty("is empty. Give the whole address, such as https://shop.example/orders/$order_id")),
  method: v.picklist(["GET", "POST", "PUT", "DELETE"], 'must be one of "GET", "POST", "PUT", "DELETE"'),
  headers: v.exactOptional(v.array(header, "must be an array of { key, value }")),
  body: v.exactOptional(body),
  responseDirective: v.exactOptional(text),
  valueType: v.exactOptional(v.picklist(["array", "json", "string"], 'must be one of "array", "json", "string"')),
  hostVariables: v.exactOptional(v.array(nonEmptyText, "must be an array of hosts")),
  signingSecret: v.exactOptional(nonEmptyText),
});

const bothFlags = (interpretResponse: boolean) => ({
  properties: { interpretResponse: { const: interpretResponse }, InterpretResponse: { const: !interpretResponse } },
  required: ["interpretResponse", "InterpretResponse"],
});

/** The schema of a TriggerConfig in plain JSON. */
export const triggerSchema = v.pipe(
  members("trigger", {
    name: v.pipe(
      text,
      v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" and "-", such as "look_up_order"'),
    ),
    description: v.exactOptional(text),
    parameters: v.pipe(
      object,
      v.check(
        ({ type }) => type === undefined || type === "object",
        'must be the JSON Schema of an object. Set its `type` to "object"',
      ),
      v.metadata({ properties: { type: { const: "object" } } }),
    ),
    interpretResponse: v.exactOptional(flag),
    InterpretResponse: v.exactOptional(flag),
    webhook,
  }),
  v.partialCheck(
    [["interpretResponse"], ["InterpretResponse"]],
    ({ interpretResponse: a, InterpretResponse: b }) => a === undefined || b === undefined || a === b,
    "has interpretResponse and InterpretResponse, which differ. Give one of them",
  ),
  v.metadata({ not: { anyOf: [bothFlags(true), bothFlags(false)] } }),
);

const isResponseFormat = ({ type, json_schema: format }: Members): boolean =>
  type === "json_object" ||
  (type === "json_schema" &&
    isJsonObject(format) &&
    typeof format["name"] === "string" &&
    isJsonObject(format["schema"]));

const toolChoices = ["auto", "none", "required"] as const;

const isToolChoice = (value: unknown): boolean =>
  toolChoices.some((choice) => choice === value) ||
  (isJsonObject(value) &&
    value["type"] === "function" &&
    isJsonObject(value["function"]) &&
    typeof value["function"]["name"] === "string");

const settings = members("settings object", {
  temperature: v.exactOptional(
    v.pipe(v.number("must be a number"), v.minValue(0, "must be at least 0"), v.maxValue(2, "must be at most 2")),
  ),
  max_completion_tokens: v.exactOptional(
    v.pipe(v.number("must be a number"), v.integer("must be a whole number"), v.minValue(1, "must be at least 1")),
  ),
  reasoning_effort: v.exactOptional(nonEmptyText),
  response_format: v.exactOptional(
    v.pipe(
      object,
      v.check(
        isResponseFormat,
        'must be {"type": "json_object"}, or {"type": "json_schema", "json_schema": {"name": ..., "schema": ...}}',
      ),
      v.metadata({
        anyOf: [
          { properties: { type: { const: "json_object" } }, required: ["type"] },
          {
            properties: {
              type: { const: "json_schema" },
              json_schema: {
                type: "object",
                properties: { name: { type: "string" }, schema: { type: "object" } },
                required: ["name", "schema"],
              },
            },
            required: ["type", "json_schema"],
          },
        ],
      }),
    ),
  ),
  tool_choice: v.exactOptional(
    v.pipe(
      v.custom<(typeof toolChoices)[number] | Members>(
        isToolChoice,
        'must be "auto", "none", "required" or {"type": "function", "function": {"name": "the name of a trigger"}}',
      ),
      v.metadata({
        anyOf: [
          { enum: [...toolChoices] },
          {
            type: "object",
            properties: {
              type: { const: "function" },
              function: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
            },
            required: ["type", "function"],
          },
        ],
      }),
    ),
  ),
});

// `v.record` skips the names of prototypes and accepts arrays.
const secrets = v.pipe(
  object,
  v.check(
    (value) => !["__proto__", "constructor", "prototype"].some((name) => Object.hasOwn(value, name)),
    "has a name that is not allowed. Rename __proto__, constructor or prototype",
  ),
  v.record(
    v.pipe(
      text,
      v.regex(
        new RegExp(secretNamePattern),
        "is not a valid name for a secret. Begin it with a letter or _, use letters, digits, _, - and . only, at most 128, " +
          "and none of the system's names (session, company, assistant, images)",
      ),
    ),
    matching(secretValuePattern, "must be a string of at least 4 characters, none of them a control character"),
  ),
);

/** The schema of an AssistantConfig in plain JSON. Its messages have no full stop at the end. */
export const assistantSchema = members("assistant", {
  $schema: v.exactOptional(text),
  id: nonEmptyText,
  companyId: nonEmptyText,
  model: nonEmptyText,
  instructions: v.exactOptional(text),
  settings: v.exactOptional(settings),
  triggers: v.exactOptional(v.array(triggerSchema, "must be an array")),
  secrets: v.exactOptional(secrets),
});
