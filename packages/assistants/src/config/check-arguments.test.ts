import { type JsonObject, LosslessNumber } from "@tollgate/core/provider";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkArguments } from "./check-arguments.ts";
import { readParameters } from "./parameters.ts";

function checking(schema: JsonObject): (text: string) => ReturnType<typeof checkArguments> {
  const reading = readParameters(schema);
  if ("problems" in reading) throw new Error(reading.problems.join("\n"));
  return (text) => checkArguments(reading.parameters, text);
}

const order = checking({
  type: "object",
  properties: {
    article: { type: "string", maxLength: 20, pattern: "^[a-z]+$" },
    quantity: { type: "integer", minimum: 1 },
    address: {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    },
  },
  required: ["article"],
  additionalProperties: false,
});

const anything = checking({ properties: { a: {} } });

const problemOf = (check: ReturnType<typeof checking>, text: string): string => {
  const checked = check(text);
  return checked.outcome === "invalid" ? checked.problem : "";
};

it("accepts arguments that match, and drops undeclared names before it checks", () => {
  expect(order('{"article":"pen","quantity":2,"color":"red","__proto__":{"x":1}}')).toEqual({
    outcome: "valid",
    arguments: { article: "pen", quantity: 2 },
  });
});

it("reports where arguments do not match, and what was expected there", () => {
  expect(problemOf(order, '{"quantity":"2","address":{"city":"Ulm","zip/code~":"1"}}')).toBe(
    "The arguments do not match the schema of the parameters. " +
      'At "": Instance does not have required property "article". ' +
      'At "/quantity": Instance type "string" is invalid. Expected "integer". ' +
      'At "/address/zip~1code~0": This is not allowed. ' +
      "Correct them and call again.",
  );
  expect(problemOf(order, '{"article":"PEN","quantity":0}')).toContain('At "/article": String does not match');
});

it.each(['{"quantity":"2"}', '{"quantity":2.5}', '{"quantity":null}', '{"quantity":true}', '{"quantity":[2]}'])(
  "coerces nothing: %s",
  (text) => {
    expect(checking({ properties: { quantity: { type: "integer" } } })(text).outcome).toBe("invalid");
  },
);

it("fills in no default", () => {
  const check = checking({ properties: { size: { type: "string", default: "M" } } });
  expect(check("{}")).toEqual({ outcome: "valid", arguments: {} });
});

it.each(["{", "[]", "null", '"text"', "5", '{"a":1} and more', "```json\n{}\n```", "{'a':1}", "undefined"])(
  "wants a JSON object and nothing else: %s",
  (text) => {
    expect(problemOf(order, text)).toBe("The arguments are not a JSON object. Send a JSON object and nothing else.");
  },
);

it("reads an empty text, which some models send instead of no arguments, as an empty object", () => {
  expect(anything("")).toEqual({ outcome: "valid", arguments: {} });
  expect(order(" \n").outcome).toBe("invalid");
});

it("limits size, depth and the number of values", () => {
  const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  expect(anything(nested(32)).outcome).toBe("valid");
  expect(problemOf(anything, nested(33))).toContain("more than 32 levels");
  expect(problemOf(anything, nested(30_000))).toContain("more than 32 levels");
  const long = (bytes: number) => JSON.stringify({ a: "é".repeat((bytes - 8) / 2) });
  expect(anything(long(65_536)).outcome).toBe("valid");
  expect(problemOf(anything, long(65_538))).toContain("larger than 65536 bytes");
  const many = (values: number) => JSON.stringify({ a: Array.from({ length: values - 2 }, () => 0) });
  expect(anything(many(2_048)).outcome).toBe("valid");
  expect(problemOf(anything, many(2_049))).toContain("more than 2048 values");
});

it("preserves the digits of numbers, and rejects exponents that few parsers support", () => {
  expect(anything('{"a":9007199254740991}')).toEqual({ outcome: "valid", arguments: { a: 9007199254740991 } });
  expect(anything('{"a":[{"b":9007199254740993}]}')).toEqual({
    outcome: "valid",
    arguments: { a: [{ b: new LosslessNumber("9007199254740993") }] },
  });
  expect(problemOf(anything, '{"a":1e999}')).toContain("too large");
  expect(problemOf(anything, '{"a":[1e-999]}')).toContain("too close to 0");
});

it("checks a number of many digits as the nearest JavaScript number, and preserves its digits", () => {
  const check = checking({
    properties: { n: { type: "integer", maximum: 9007199254740992 }, price: { minimum: 19.9 } },
  });
  expect(check('{"n":9007199254740993,"price":19.90}')).toEqual({
    outcome: "valid",
    arguments: { n: new LosslessNumber("9007199254740993"), price: new LosslessNumber("19.90") },
  });
  expect(problemOf(check, '{"n":9007199254740995}')).toContain("9007199254740996 is greater than 9007199254740992");
  expect(problemOf(check, '{"price":19.80}')).toContain('At "/price"');
});

it("accepts any string as a value, and rejects a name with half of a surrogate pair", () => {
  expect(anything(String.raw`{"a":"\ud800 $& $a __proto__ \u0000"}`)).toEqual({
    outcome: "valid",
    arguments: { a: "\ud800 $& $a __proto__ \0" },
  });
  expect(problemOf(anything, String.raw`{"a":{"\ud800":1}}`)).toContain("surrogate");
});

it("echoes at most a short excerpt", () => {
  const key = "k".repeat(10_000);
  const problem = problemOf(
    order,
    JSON.stringify({ article: key, address: { city: "x", [key]: key, [`${key}2`]: 1 } }),
  );
  expect(problem).toContain("/address/kkk");
  expect(problem.length).toBeLessThan(1_500);
  const violating = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`m${index}`, 1]));
  const strict = checking({ properties: { a: { type: "object", additionalProperties: { type: "string" } } } });
  expect(problemOf(strict, JSON.stringify({ a: violating }))).toContain("There are 35 more violations.");
});

it("reports alternatives as a whole", () => {
  const check = checking({
    properties: { id: { anyOf: [{ type: "string", minLength: 3 }, { type: "integer" }] } },
  });
  expect(problemOf(check, '{"id":null}')).toBe(
    "The arguments do not match the schema of the parameters. " +
      'At "/id": Instance does not match any subschemas. Correct them and call again.',
  );
});

it("returns a result for every text", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.json(),
        fc.json().map((json) => `{"article":${json}}`),
      ),
      (text) => {
        const checked = order(text);
        if (checked.outcome === "invalid") expect(checked.problem).toMatch(/[.]$/);
        else
          expect(Object.keys(checked.arguments).every((name) => /^(?:article|quantity|address)$/.test(name))).toBe(
            true,
          );
      },
    ),
  );
});

it("checks a text that is crafted to make formats or unique items slow in little time", () => {
  const check = checking({
    properties: { link: { type: "string", format: "url" }, all: { type: "array", uniqueItems: true } },
  });
  const before = process.cpuUsage();
  check(JSON.stringify({ link: `http://${"a".repeat(34)}!` }));
  check(JSON.stringify({ all: Array.from({ length: 2_000 }, (_, index) => ({ index })) }));
  // The validator's regular expression for that format would take minutes.
  expect(process.cpuUsage(before).user).toBeLessThan(15_000_000);
});
