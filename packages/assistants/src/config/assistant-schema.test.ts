import type * as v from "valibot";
import { expect, expectTypeOf, it } from "vitest";
import { orderAssistant } from "../../test-support/order-assistant.ts";
import type { AssistantConfig } from "../definition/assistant-config.ts";
import type { assistantSchema } from "./assistant-schema.ts";
import { readConfig } from "./read-config.ts";

/** The type with all members readonly, except in objects with arbitrary members. */
type Frozen<T> = T extends object
  ? string extends keyof T
    ? Readonly<T>
    : { readonly [Key in keyof T]: Frozen<T[Key]> }
  : T;

const smallest = { id: "a", companyId: "c", model: "m" };
const webhook = { type: "WEBHOOK", url: "https://shop.example/", method: "GET" };
const trigger = { name: "t", parameters: {}, webhook };
const problemsOf = (value: unknown): readonly string[] => readConfig(value).problems;
const problemsOfTrigger = (changes: object) => problemsOf({ ...smallest, triggers: [{ ...trigger, ...changes }] });
const problemsOfWebhook = (changes: object) => problemsOfTrigger({ webhook: { ...webhook, ...changes } });

it("has the type of the configuration", () => {
  expectTypeOf<Frozen<v.InferOutput<typeof assistantSchema>>>().toEqualTypeOf<Frozen<AssistantConfig>>();
});

it("accepts the smallest configuration and a complete one, and copies it", () => {
  expect(problemsOf(smallest)).toEqual([]);
  const { config } = readConfig(orderAssistant);
  expect(config).toEqual(orderAssistant);
  expect(config).not.toBe(orderAssistant);
});

it("treats an undefined member as absent", () => {
  const { config } = readConfig({ ...smallest, instructions: undefined, triggers: undefined });
  expect(config).toStrictEqual(smallest);
});

it("names every unknown member, and suggests the nearest known one", () => {
  expect(
    problemsOf({
      ...smallest,
      instruction: "",
      wholly: 1,
      triggers: [{ ...trigger, interpret_response: true, webhook: { ...webhook, respnseDirective: "", heders: [] } }],
    }),
  ).toEqual([
    "triggers.0.webhook.respnseDirective: is not a member of a webhook. Did you mean responseDirective?",
    "triggers.0.interpret_response: is not a member of a trigger. Did you mean interpretResponse?",
    "instruction: is not a member of an assistant. Did you mean instructions?",
    "triggers.0.webhook.heders: is not a member of a webhook. Did you mean headers?",
    "wholly: is not a member of an assistant. Remove it; the members are " +
      "$schema, id, companyId, model, instructions, settings, triggers, secrets.",
  ]);
  expect(problemsOf(JSON.parse('{"id":"a","companyId":"c","model":"m","__proto__":{}}'))).toHaveLength(1);
});

it("reports all problems at once, including unknown members", () => {
  expect(
    problemsOf({ id: "", model: 5, secret: {}, triggers: [{ name: "a b", parameters: [], webhook: null }] }),
  ).toEqual([
    "secret: is not a member of an assistant. Did you mean secrets?",
    "id: is empty. Give at least one character.",
    "companyId: is missing. Every assistant needs it.",
    "model: must be a string.",
    'triggers.0.name: must be 1 to 64 letters, digits, "_" and "-", such as "look_up_order".',
    "triggers.0.parameters: must be an object.",
    "triggers.0.webhook: must be an object.",
  ]);
});

it.each([undefined, null, "{}", 5, () => 1, 5n])("rejects %s as a configuration", (value) => {
  expect(problemsOf(value)).toEqual(["The configuration must be an object."]);
});

it("rejects a value that refers to itself, and one that never ends", () => {
  const self: Record<string, unknown> = { ...smallest };
  self["triggers"] = [self];
  expect(problemsOf(self)).toEqual(["The configuration must be an object."]);
});

it("requires a valid type and method of a webhook, and rejects two flags that differ", () => {
  expect(problemsOfWebhook({ type: "webhook", method: "PATCH" })).toEqual([
    'triggers.0.webhook.type: must be "WEBHOOK".',
    'triggers.0.webhook.method: must be one of "GET", "POST", "PUT", "DELETE".',
  ]);
  expect(problemsOfWebhook({ headers: { authorization: "x" } })).toEqual([
    "triggers.0.webhook.headers: must be an array of { key, value }.",
  ]);
  expect(problemsOfTrigger({ interpretResponse: true, InterpretResponse: false })).toEqual([
    "triggers.0: has interpretResponse and InterpretResponse, which differ. Give one of them.",
  ]);
  expect(problemsOfTrigger({ interpretResponse: false, InterpretResponse: false })).toEqual([]);
});

it("accepts bodies that are an object or a string, and parameters that are the schema of an object", () => {
  for (const body of [{}, { a: ["$images"] }, '{"urls": $images}']) expect(problemsOfWebhook({ body })).toEqual([]);
  for (const body of [[], 5, null]) expect(problemsOfWebhook({ body })).toHaveLength(1);
  expect(problemsOfTrigger({ parameters: { type: "array" } })).toEqual([
    'triggers.0.parameters: must be the JSON Schema of an object. Set its `type` to "object".',
  ]);
});

it.each(["images", "session", "company.id", "assistant.", "1a", "", "a b", "$a", "constructor", "a".repeat(129)])(
  "takes no secret named %j",
  (name) => {
    const problems = problemsOf({ ...smallest, secrets: { [name]: "a value of it" } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^secrets/);
  },
);

it("rejects a secret named __proto__", () => {
  expect(problemsOf({ ...smallest, secrets: JSON.parse('{"__proto__":"abcdef"}') })).toHaveLength(1);
  expect(problemsOf({ ...smallest, secrets: ["abcdef"] })).toHaveLength(1);
});

it.each(["abc", "line\nbreak", "bell\u0007", "half \ud83d pair", 12345])(
  "takes no secret whose value is %j, and never tells it",
  (value) => {
    const problems = problemsOf({ ...smallest, secrets: { key: value } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).not.toContain(String(value));
  },
);

it("accepts secrets with other names", () => {
  const secrets = { sessions: "abcd", _a: "$&`'", "a-b.c": "ключ🔑" };
  expect(readConfig({ ...smallest, secrets }).config?.secrets).toEqual(secrets);
});
