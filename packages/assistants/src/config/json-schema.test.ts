import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, it } from "vitest";
import { assistantJsonSchema } from "../../schema/assistant-json-schema.ts";
import { orderAssistant } from "../../test-support/order-assistant.ts";
import { runs } from "../../test-support/property-runs.ts";
import { readConfig } from "./read-config.ts";

const schema = assistantJsonSchema(readFileSync(new URL("../definition/assistant-config.ts", import.meta.url), "utf8"));
// Some members have union types.
const validate = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(JSON.stringify(schema)));

const agree = (config: unknown) => {
  const accepted = readConfig(config).problems.length === 0;
  expect(validate(config), JSON.stringify([config, readConfig(config).problems, validate.errors])).toBe(accepted);
  return accepted;
};

it("describes every member for editors, and has a unique id", () => {
  expect(schema).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#", $id: "urn:tollgate:assistant" });
  const text = JSON.stringify(schema);
  for (const member of [
    "id",
    "companyId",
    "triggers",
    "secrets",
    "parameters",
    "webhook",
    "url",
    "method",
    "valueType",
  ]) {
    expect(text).toMatch(new RegExp(`"${member}":\\{"description":"[^"]{10,}`));
  }
});

it("accepts the example, with and without `$schema`", () => {
  expect(agree(orderAssistant)).toBe(true);
  expect(agree({ $schema: "./assistant.schema.json", ...orderAssistant })).toBe(true);
});

it("rejects two flags that differ, and accepts two that agree", () => {
  const agreeOn = (flags: object) =>
    agree({ ...orderAssistant, triggers: orderAssistant.triggers?.map((trigger) => ({ ...trigger, ...flags })) });
  expect(agreeOn({ interpretResponse: true, InterpretResponse: false })).toBe(false);
  expect(agreeOn({ interpretResponse: false, InterpretResponse: true })).toBe(false);
  expect(agreeOn({ interpretResponse: false, InterpretResponse: false })).toBe(true);
});

/** Replacement values for a member: of every type, similar to the original, and hostile. */
const replacement = fc.oneof(
  fc.constantFrom<unknown>(
    "",
    "GET",
    "WEBHOOK",
    "json",
    null,
    true,
    false,
    0,
    [],
    {},
    [""],
    [{}],
    "__proto__",
    "a".repeat(65),
  ),
  fc.constantFrom<unknown>(
    { type: "array" },
    { type: "object" },
    { key: "abcd" },
    { "session.id": "abcd" },
    { a: "abc" },
  ),
  fc.constantFrom<unknown>([{ key: "a", value: "b" }], { a: "ab\ncd" }, { a: "half\ud800" }, { images: "abcd" }, "a\n"),
  fc.string({ unit: "binary" }),
  fc.json().map((json): unknown => JSON.parse(json)),
);

const mutation = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom("replace", "remove", "add"),
  name: fc.oneof(fc.constantFrom("interpretResponse", "InterpretResponse", "body", "valueType", "secret"), fc.string()),
  value: replacement,
});

interface Place {
  readonly holder: object;
  readonly key: string;
}

/** Every member of a configuration, except those inside a body or parameters, which may have any value. */
function placesOf(holder: object): Place[] {
  return Object.entries(holder).flatMap(([key, value]) => [
    { holder, key },
    ...(typeof value === "object" && value !== null && key !== "parameters" && key !== "body" ? placesOf(value) : []),
  ]);
}

it("agrees with the valibot schema on every mutated configuration", () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
      const config = structuredClone(orderAssistant);
      for (const { place, kind, name, value } of mutations) {
        const places = placesOf(config);
        const chosen = places[place % places.length];
        if (chosen === undefined) continue;
        if (kind === "remove" && !Array.isArray(chosen.holder)) Reflect.deleteProperty(chosen.holder, chosen.key);
        else
          define(
            chosen.holder,
            kind === "add" && !Array.isArray(chosen.holder) ? name : chosen.key,
            structuredClone(value),
          );
      }
      seen[agree(config) ? "accepted" : "refused"]++;
    }),
    { numRuns: runs(1_500) },
  );
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(runs(1_500) / 100);
});

/** Also sets `__proto__` as a member, which an assignment would not. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, configurable: true, enumerable: true, writable: true });
}
