import fc from "fast-check";
import * as v from "valibot";
import { expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { openObject } from "./open-object.ts";

const inner = { size: v.number("must be a number") };
const entries = {
  name: v.string("must be a string"),
  count: v.nullish(v.number("must be a number")),
  list: v.nullish(v.array(v.string("must be a string"), "must be an array")),
};
const whole = openObject({ ...entries, inner: v.nullish(openObject(inner, "must be an object")) }, "must be an object");
const plain = v.looseObject(
  { ...entries, inner: v.nullish(v.looseObject(inner, "must be an object")) },
  "must be an object",
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

it("accepts, gives out and says what valibot's looseObject does", () => {
  fc.assert(
    fc.property(inputs, fc.boolean(), (input, abortEarly) => {
      const ours = v.safeParse(whole, input, { abortEarly });
      const theirs = v.safeParse(plain, input, { abortEarly });
      expect(ours.success).toBe(theirs.success);
      expect(ours.issues?.map(told)).toEqual(theirs.issues?.map(told));
      if (ours.success) expect(ours.output).toEqual(theirs.output);
    }),
    { numRuns: runs(3_000) },
  );
});

it("gives out what it accepts as it is", () => {
  const given = { name: "a", inner: { size: 1 }, other: [] };
  expect(v.parse(whole, given)).toBe(given);
});

const told = (issue: v.BaseIssue<unknown>) => [v.getDotPath(issue), issue.message, issue.received];
