import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { isLosslessNumber, LosslessNumber } from "./json.ts";
import { holdsLosslessNumber, parseLosslessJson, writeLosslessJson } from "./lossless-json.ts";

const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{1,${most}}$`));
const numberText = fc
  .tuple(
    fc.constantFrom("", "-"),
    digits(40).map((text) => text.replace(/^0+(?=\d)/, "")),
    fc.option(digits(30), { nil: "" }),
    fc.constantFrom("", "e5", "E+12", "e-3"),
  )
  .map(([sign, whole, fraction, exponent]) => `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}${exponent}`);
const hostile = fc.constantFrom(
  '"',
  "\\",
  "12345678901234567890",
  "1.10",
  "__proto__",
  "\ud800",
  "\n",
  "toJSON",
  "text",
);
const text = fc.oneof(
  hostile,
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.array(hostile).map((all) => all.join("")),
);
/** JSON text as a client may write it, blanks and all. */
const jsonText = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      numberText,
      text.map((each) => JSON.stringify(each)),
      fc.constantFrom("true", "null"),
    ),
    fc.array(tie("json"), { maxLength: 4 }).map((items) => `[${items.join(" , ")}]`),
    fc
      .array(fc.tuple(text, tie("json")), { maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)} : ${value}`).join(",\n")}}`),
  ),
})).json;

const compact = (json: string) => json.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, (_, quoted?: string) => quoted ?? "");

describe("parseLosslessJson and writeLosslessJson", () => {
  test.prop([fc.array(numberText), text])("keep every number as it was written", (numbers, key) => {
    const json = compact(`{"a":[${numbers.join(",")}],${JSON.stringify(`k${key}`)}:{"n":[${numbers.join(",")}]}}`);
    expect(writeLosslessJson(parseLosslessJson(json))).toBe(json);
  });

  test.prop([jsonText])("return the same as JSON.parse, except for the digits of numbers", (json) => {
    const rounded = JSON.parse(writeLosslessJson(parseLosslessJson(json)));
    expect(rounded).toEqual(JSON.parse(json));
    expect(Object.getPrototypeOf(Object(rounded))).toBe(Object.getPrototypeOf(Object(JSON.parse(json))));
  });

  test.prop([fc.jsonValue()])("do the same as JSON for values without exact numbers", (value) => {
    expect(writeLosslessJson(value)).toBe(JSON.stringify(value));
    expect(parseLosslessJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it.each([
    "",
    "1 2",
    "[1,]",
    "{1:2}",
    "{12345678901234567890:1}",
    "01",
    "1.",
    "+1",
    "- 1",
    "--1",
    "1e",
    "NaN",
    '"\n"',
  ])("refuse %j", (json) => expect(() => parseLosslessJson(json)).toThrow(SyntaxError));

  it("return a JavaScript number if no digit is lost", () => {
    const json = '[0,-1,1.5,9007199254740991,1e+21,"12345678901234567890"]';
    expect(parseLosslessJson(json)).toEqual([0, -1, 1.5, Number.MAX_SAFE_INTEGER, 1e21, "12345678901234567890"]);
  });

  it.each([
    "12345678901234567890",
    "-9007199254740993",
    "1.10",
    "5.0",
    "-0",
    "1E3",
    "0.1000000000000000055",
    "9".repeat(5_000),
  ])("keep %s", (digit) => expect(parseLosslessJson(digit)).toEqual(new LosslessNumber(digit)));

  it("do not mistake a string or object for a number", () => {
    const json = '{"a":{"text":"1,\\"admin\\":true"},"b":"\\u0030-12345678901234567890","c":12345678901234567890}';
    expect(JSON.stringify(JSON.parse(writeLosslessJson(parseLosslessJson(json))).a)).toBe(
      '{"text":"1,\\"admin\\":true"}',
    );
    expect(() => new LosslessNumber('1,"admin":true')).toThrow(TypeError);
    expect(() => new LosslessNumber("1\n")).toThrow(TypeError);
  });

  it("find an exact number at any depth, and none in text", () => {
    const nested = (inner: string) => `${"[".repeat(50_000)}${inner}${"]".repeat(50_000)}`;
    expect(holdsLosslessNumber(JSON.parse(nested('"1.10"')))).toBe(false);
    expect(
      ["1.10", '{"a":[null,{"b":9007199254740993}]}', "[1]", "null"].map(parseLosslessJson).map(holdsLosslessNumber),
    ).toEqual([true, true, false, false]);
  });

  it("parse long strings of escapes", () => {
    const json = `["${"\\n".repeat(500_000)}",12345678901234567890]`;
    expect(writeLosslessJson(parseLosslessJson(json))).toBe(json);
  });
});

describe("an LosslessNumber", () => {
  it("is a string of its digits to JSON.stringify and String, so that no digit is lost", () => {
    const number = new LosslessNumber("12345678901234567890");
    expect(JSON.stringify({ id: number })).toBe('{"id":"12345678901234567890"}');
    expect(`${number}`).toBe("12345678901234567890");
    expect([number, {}, "1", null, 1].map(isLosslessNumber)).toEqual([true, false, false, false, false]);
  });
});
