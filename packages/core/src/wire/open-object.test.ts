import fc from "fast-check";
import * as v from "valibot";
import { expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { isJsonObject } from "./json.ts";
import { openObject } from "./open-object.ts";

const inner = { size: v.number("must be a number") };
const entries = {
  name: v.string("must be a string"),
  count: v.nullish(v.number("must be a number")),
  list: v.nullish(v.array(v.string("must be a string"), "must be an array")),
};
const whole = openObject({ ...entries, inner: v.nullish(openObject(inner)) });
/** To valibot an array is an object. */
const noArray = v.custom<object>(isJsonObject, "must be an object");
const plain = v.pipe(
  noArray,
  v.looseObject(
    { ...entries, inner: v.nullish(v.pipe(noArray, v.looseObject(inner, "must be an object"))) },
    "must be an object",
  ),
);

const names = fc.constantFrom(
  "name",
  "count",
  "list",
  "inner",
  "size",
  "other",
  "__proto__",
  "constructor",
  "toString",
);
const values = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constant(null),
  fc.constant({ size: 1 }),
  fc.constant({ size: "1" }),
  fc.constant(JSON.parse('{"size":1,"__proto__":2,"constructor":3}')),
  fc.array(fc.string()),
  fc.array(fc.integer()),
);
const inputs = fc.oneof(
  fc.array(fc.tuple(names, values)).map((members) => JSON.parse(toJson(members))),
  fc.jsonValue(),
);

/** `__proto__` is a member like any other in JSON alone. */
const toJson = (members: readonly (readonly [string, unknown])[]): string =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;

it("accepts the same as valibot's looseObject, returns it unchanged, and reports the same first issue", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const ours = v.safeParse(whole, input, { abortEarly: true });
      const theirs = v.safeParse(plain, input, { abortEarly: true });
      expect(ours.success).toBe(theirs.success);
      expect(ours.issues?.map(told)).toEqual(theirs.issues?.map(told));
      if (ours.success) expect(ours.output).toBe(input);
    }),
    { numRuns: runs(3_000) },
  );
});

it("checks each entry once for an object that is invalid at depth", () => {
  let runs = 0;
  const counted = v.custom<string>((value) => {
    runs += 1;
    return value !== "bad";
  }, "must be good");
  let schema: v.GenericSchema = openObject({ list: v.array(counted) });
  for (let depth = 0; depth < 6; depth++) schema = openObject({ inner: schema });
  let value: object = { list: [...Array(50).fill("good"), "bad"] };
  for (let depth = 0; depth < 6; depth++) value = { toString: 1, inner: value };
  const result = v.safeParse(schema, value, { abortEarly: true });
  expect(v.getDotPath(result.issues?.[0] ?? expect.fail())).toBe(`${"inner.".repeat(6)}list.50`);
  expect(runs).toBe(51);
});

const told = (issue: v.BaseIssue<unknown>) => [v.getDotPath(issue), issue.message, issue.received];
