import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { decodeUtf8, encodeUtf8 } from "./bytes.ts";
import { budgetOf, skipBlank, skipValue } from "./json-skip.ts";

/** True if the scan accepts the text as JSON. */
function isJson(text: string): boolean {
  const bytes = encodeUtf8(text);
  const end = skipValue(bytes, skipBlank(bytes, 0), budgetOf({}));
  return end >= 0 && skipBlank(bytes, end) === bytes.length;
}

/** The text without half of a surrogate pair, which UTF-8 cannot hold. */
const wellFormed = (text: string): string => decodeUtf8(encodeUtf8(text)) ?? "";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

it.each([
  "0",
  "-0",
  "1",
  "-1.5",
  "1e5",
  "1E+5",
  "1.0e-5",
  "true",
  "false",
  "null",
  '""',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00eF"',
  "[]",
  "{}",
  ' [ 1 , "a" , { "b" : [ ] , "c" : null } ]\r\n\t',
  '"\\ud800"',
  '"\u2028\ufeff\u007f"',
  '{"a":{"b":{"c":[[[]]]}}}',
])("takes %s", (text) => {
  expect(parses(text)).toBe(true);
  expect(isJson(text)).toBe(true);
});

it.each([
  "",
  " ",
  "-",
  "+1",
  "01",
  "-01",
  "1.",
  ".5",
  "1e",
  "1e+",
  "0x1",
  "NaN",
  "Infinity",
  "True",
  "nul",
  "nulll",
  "truefalse",
  '"',
  '"a',
  "'a'",
  '"\n"',
  '"\u0000"',
  '"\\x"',
  '"\\u12"',
  '"\\u12g4"',
  '"\\',
  "[",
  "[1",
  "[1,",
  "[1,]",
  "[,]",
  "[1 2]",
  "[1}",
  "{",
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  "{a:1}",
  "{1:2}",
  '{"a" 1}',
  '{"a":1]',
  "{,}",
  "1 2",
  "[]]",
  "{}{}",
  "\ufeff1",
  "\u00a01",
  "\f1",
  "[1]\u2028",
  '{"a":1 "b":2}',
  '[{"a"}]',
])("rejects %j, as JSON.parse does", (text) => {
  expect(parses(text)).toBe(false);
  expect(isJson(text)).toBe(false);
});

it("accepts the same texts as JSON.parse", () => {
  let taken = 0;
  const puts = fc.oneof(
    fc.string({ maxLength: 2 }),
    fc.constantFrom(
      "\\",
      '"',
      "\\u",
      "\\u00e9",
      ",",
      ":",
      "[",
      "]",
      "{",
      "}",
      "-",
      "0",
      ".",
      "e",
      "E+",
      " ",
      "\n",
      "null",
    ),
  );
  fc.assert(
    fc.property(fc.json(), fc.nat(2), fc.nat(), fc.nat(2), puts, (json, indent, place, cut, put) => {
      const whole = JSON.stringify(JSON.parse(json), undefined, indent);
      expect(isJson(json) && isJson(whole)).toBe(true);
      const at = place % whole.length;
      const text = wellFormed(whole.slice(0, at) + put + whole.slice(at + cut));
      const isTaken = parses(text);
      if (isTaken) taken += 1;
      if (isJson(text) !== isTaken) expect.fail(`${JSON.stringify(text)} is ${isTaken ? "" : "not "}JSON.`);
    }),
    { numRuns: runs(30_000) },
  );
  expect(taken).toBeGreaterThan(runs(30_000) / 20);
});
