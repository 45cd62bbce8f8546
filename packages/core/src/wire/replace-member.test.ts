import fc from "fast-check";
import { expect, it } from "vitest";
import { memberReplacer } from "./replace-member.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const replace = memberReplacer("model", { once: ["usage"], never: ["error"] });

function replaced(json: string): string | undefined {
  const bytes = replace(encodeUtf8(json), encodeUtf8('"public"'));
  return bytes && decodeUtf8(bytes);
}

it.each([
  ['{"model":"up"}', '{"model":"public"}'],
  [' { "b" : 1.0 , "model" : "up" , "a":[1,{}] } ', ' { "b" : 1.0 , "model" : "public" , "a":[1,{}] } '],
  ['{"models":1,"mode":2,"model":"a\\"b"}', '{"models":1,"mode":2,"model":"public"}'],
  [
    '{"model":"up","usage":1,"errors":2,"s":"\\"error\\""}',
    '{"model":"public","usage":1,"errors":2,"s":"\\"error\\""}',
  ],
  ['{"id":"ä","model":"up","s":"\\"model\\":"}', '{"id":"ä","model":"public","s":"\\"model\\":"}'],
])("changes the value alone: %s", (given, expected) => {
  expect(replaced(given)).toBe(expected);
});

it.each([
  "{}",
  "[]",
  '"model"',
  '["model"]',
  '{"a":{"model":"x"}}',
  '{"a":[],"model":"x"}',
  '{"model":"x","model":"y"}',
  '{"model":"x","a":{"model":"y"}}',
  '{"model":"x","mod\\u0065l":"y"}',
  '{"\\"model":"x"}',
  '{"a":"model"}',
  '{"model":1}',
  '{"model":{}}',
  '{"model":"x","usage":1,"usage":2}',
  '{"model":"x","usage":1,"a":{"usage":2}}',
  '{"model":"x","error":null}',
])("leaves alone what has it not, not alone, or not surely so: %s", (given) => {
  expect(replaced(given)).toBeUndefined();
});

const names = fc.oneof(fc.string(), fc.constantFrom("model", '"model', 'model"', "\\model", "mödel", "__proto__"));
const values = fc.oneof(fc.string(), fc.constantFrom("model", '"model":', "{", "[", "\\", "😀"), fc.jsonValue());

it("gives what JSON.parse and a change would, for any members in any order and any white space", () => {
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
    { numRuns: 3_000 },
  );
  expect(found).toBeGreaterThan(300);
});

/** As text, since an object has each name once. */
const toJson = (members: readonly (readonly [string, unknown])[], blank: string): string =>
  `{${blank}${members.map(([name, value]) => `${JSON.stringify(name)}${blank}:${blank}${JSON.stringify(value)}`).join(`${blank},${blank}`)}}`;
