import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../test-support/property-runs.ts";
import { findModel } from "./find-model.ts";

function replaced(json: string): string | undefined {
  const range = findModel(json);
  return range && `${json.slice(0, range.start)}"public"${json.slice(range.end)}`;
}

it.each([
  ['{"model":"up"}', '{"model":"public"}'],
  [' { "b" : 1.0 , "model" : "up" , "a":[1,{}] } ', ' { "b" : 1.0 , "model" : "public" , "a":[1,{}] } '],
  ['{"a":[{"b":["model"]}],"model":"up"}', '{"a":[{"b":["model"]}],"model":"public"}'],
  ['{"models":1,"mode":2,"model":"a\\"b"}', '{"models":1,"mode":2,"model":"public"}'],
  ['{"model":"up","a":{"model":"x","usage":1}}', '{"model":"public","a":{"model":"x","usage":1}}'],
  [
    '{"choices":[{"index":0,"message":{"id":1}},{"index":1,"message":{"id":1}}],"id":"c","model":"up"}',
    '{"choices":[{"index":0,"message":{"id":1}},{"index":1,"message":{"id":1}}],"id":"c","model":"public"}',
  ],
  ['{"model":"up","usage":{"usage":1},"errors":2}', '{"model":"public","usage":{"usage":1},"errors":2}'],
  ['{"model":"up","s":"\\"error\\"","t":"error"}', '{"model":"public","s":"\\"error\\"","t":"error"}'],
  ['{"id":"ä","model":"up","s":"\\"model\\":"}', '{"id":"ä","model":"public","s":"\\"model\\":"}'],
  ['{"s":"\\u0061","model":"up"}', '{"s":"\\u0061","model":"public"}'],
  ['{"created":12,"index":0,"cost":-1.0e0,"model":"up"}', '{"created":12,"index":0,"cost":-1.0e0,"model":"public"}'],
])("changes the value alone: %s", (given, expected) => {
  expect(replaced(given)).toBe(expected);
});

it.each([
  "{}",
  "[]",
  '"model"',
  '["model"]',
  '[{"model":"x"}]',
  '{"a":{"model":"x"}}',
  '{"model":"x","model":"y"}',
  '{"model":"x","mod\\u0065l":"y"}',
  '{"model":"x","a":[{"\\u0065rror":{}}]}',
  '{"\\"model":"x"}',
  '{"a":"model"}',
  '{"mpEel":"x"}',
  '{"model":1}',
  '{"model":{}}',
  '{"model":"x","usage":1,"usage":2}',
  '{"model":"x","choices":[],"a":1,"choices":[]}',
  '{"model":"x","error":null}',
  '{"model":"x","id":"a","id":"b"}',
  '{"model":"x","created":"x","created":1}',
  '{"model":"x","object":"error","object":"chat.completion"}',
  '{"model":"x","choices":[{"message":{},"message":{}}]}',
  '{"model":"x","choices":[{"finish_reason":"error","finish_reason":"stop"}]}',
  '{"model":"x","choices":[{"index":-0}]}',
  '{"model":"x","choices":[{"error":{}}]}',
  '{"model":"x","created":1e0}',
  '{"model":"x","choices":[{"index": 0.0}]}',
  '{"model":"x","usage":{"prompt_tokens" : -1E1}}',
  '{"model":"x","usage":{"details":[{"cached_tokens":1.0}]}}',
])("leaves alone what has it not, or what a client could read otherwise: %s", (given) => {
  expect(replaced(given)).toBeUndefined();
});

const names = fc.oneof(fc.string(), fc.constantFrom("model", '"model', 'model"', "\\model", "mödel", "__proto__"));
const values = fc.oneof(fc.string(), fc.constantFrom("model", '"model":', "{", "[", "\\", "😀"), fc.jsonValue());

it("returns the same as JSON.parse with a change, for any members, order and white space", () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, values)),
      fc.string(),
      fc.nat(20),
      fc.nat(3),
      (others, value, place, indent) => {
        const members = others.toSpliced(place, 0, ["model", value]);
        const text = toJson(members, " ".repeat(indent));
        const result = replaced(text);
        if (result === undefined) return;
        found += 1;
        const expected = toJson(
          members.map(([name, each]) => [name, name === "model" ? "public" : each]),
          "",
        );
        expect(JSON.stringify(JSON.parse(result))).toBe(JSON.stringify(JSON.parse(expected)));
      },
    ),
    { numRuns: runs(3_000) },
  );
  expect(found).toBeGreaterThan(runs(3_000) / 10);
});

/** Text, since an object cannot repeat a name. */
const toJson = (members: readonly (readonly [string, unknown])[], blank: string): string =>
  `{${blank}${members.map(([name, value]) => `${JSON.stringify(name)}${blank}:${blank}${JSON.stringify(value)}`).join(`${blank},${blank}`)}}`;
