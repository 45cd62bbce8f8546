import fc from "fast-check";
import { expect, it } from "vitest";
import { replaceMember } from "./replace-member.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

function replaced(json: string): string | undefined {
  const bytes = replaceMember(encodeUtf8(json), "model", encodeUtf8('"public"'));
  return bytes && decodeUtf8(bytes);
}

it.each([
  ['{"model":"up"}', '{"model":"public"}'],
  [
    ' { "a" : [1,{"model":"x"}] , "model" : "up" , "b":1.0 } ',
    ' { "a" : [1,{"model":"x"}] , "model" : "public" , "b":1.0 } ',
  ],
  ['{"s":"\\"model\\":\\"x\\"","model":{"a":[]}}', '{"s":"\\"model\\":\\"x\\"","model":"public"}'],
  ['{"models":1,"mode":2,"model":null}', '{"models":1,"mode":2,"model":"public"}'],
])("changes the value alone: %s", (given, expected) => {
  expect(replaced(given)).toBe(expected);
});

it.each([
  "{}",
  "[]",
  '"model"',
  '{"a":{"model":"x"}}',
  '{"model":1,"model":2}',
  '{"model":1,"mod\\u0065l":2}',
  '{"\\"":1,"model":2}',
])("does not when it is not there, not alone, or may not be alone: %s", (given) => {
  expect(replaced(given)).toBeUndefined();
});

it("gives what JSON.parse and a change would, for any object and any white space", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.nat(3), (others, value, indent) => {
      const given = { ...others, model: value, last: 1 };
      const text = JSON.stringify(given, undefined, indent);
      const result = replaced(text);
      if (result === undefined)
        expect(Object.keys(given).some((name) => JSON.stringify(name).includes("\\"))).toBe(true);
      else expect(JSON.parse(result)).toEqual(JSON.parse(JSON.stringify({ ...given, model: "public" })));
    }),
    { numRuns: 500 },
  );
});
