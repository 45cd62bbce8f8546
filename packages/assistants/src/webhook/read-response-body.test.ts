import { describe, expect, it } from "vitest";
import { readResponseBody } from "./read-response-body.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("readResponseBody", () => {
  it.each([
    ["application/json", '{"a":1}', { a: 1 }],
    ["application/json; charset=utf-8", "null", null],
    ["application/problem+json", '"x"', "x"],
    ["text/plain", ' {"a":1}', { a: 1 }],
    [undefined, "[1]", [1]],
    ["application/octet-stream", '{"a":1}', { a: 1 }],
    ["application/json", '\ufeff{"a":1}', { a: 1 }],
    ["nonsense", "[]", []],
  ])("reads JSON of type %s", (type, text, value) => {
    expect(readResponseBody(type, bytes(text))).toMatchObject({ json: { value }, warnings: [] });
  });

  it.each([
    ["text/html", "<p>"],
    ["text/plain", "{not json"],
    ["application/xml", "<a/>"],
    ["image/svg+xml", "<svg/>"],
    [undefined, "plain"],
    ["text/plain", "12"],
  ])("reads text of type %s", (type, text) => {
    expect(readResponseBody(type, bytes(text))).toEqual({ json: undefined, text, warnings: [] });
  });

  it.each([
    ["image/png", "[image/png, 3 bytes, not shown]"],
    ["IMAGE/PNG; a=b", "[image/png, 3 bytes, not shown]"],
    [undefined, "[unknown type, 3 bytes, not shown]"],
    ["a b\u0007", "[unknown type, 3 bytes, not shown]"],
  ])("describes a body that is neither, of type %s", (type, text) => {
    expect(readResponseBody(type, Uint8Array.of(0, 255, 1))).toEqual({ json: undefined, text, warnings: [] });
  });

  it.each([undefined, "application/json", "image/png"])("reads an empty body of type %s as empty text", (type) => {
    expect(readResponseBody(type, new Uint8Array())).toEqual({ json: undefined, text: "", warnings: [] });
  });

  it.each([
    ["text/plain; charset=iso-8859-1", [0xe9], "é"],
    ["text/plain; charset=windows-1252", [0x80, 0x81, 0x9f, 0xe9], "€\u0081Ÿé"],
    ["text/plain; charset=latin1", [0x93, 0x94], "“”"],
    ["text/plain; charset=windows-1251", [0x80, 0xe9], "Ђй"],
    ['text/plain; charset="UTF-16LE"', [0xe9, 0], "é"],
    ["text/plain; charset=unheard-of", [0xc3, 0xa9], "é"],
    ["text/plain", [0x61, 0xff], "a\ufffd"],
  ])("decodes %s", (type, body, text) => {
    expect(readResponseBody(type, Uint8Array.from(body)).text).toBe(text);
  });

  it("warns of a charset that it does not know", () => {
    const { json, warnings } = readResponseBody("application/json; charset=unheard-of", bytes("1"));
    expect(json).toEqual({ value: 1 });
    expect(warnings).toEqual([expect.stringContaining('the unknown charset "unheard-of". It was read as UTF-8.')]);
  });

  it("reads invalid JSON that is declared as JSON as text, with a warning", () => {
    const answer = readResponseBody("application/json", bytes("<html>"));
    expect(answer).toMatchObject({ json: undefined, text: "<html>" });
    expect(answer.warnings).toEqual([expect.stringContaining("cannot be parsed")]);
  });

  it.each([
    ["depth", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["depth behind a byte order mark", `\ufeff${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
    ["objects", `[${"{},".repeat(300_000)}{}]`],
  ])("reads a JSON bomb of %s as text", (_, text) => {
    const answer = readResponseBody("application/json", bytes(text));
    expect(answer.json).toBeUndefined();
    expect(answer.warnings).toEqual([expect.stringContaining("too deep")]);
  });

  it("reads JSON with 100 levels, and an object with many members", () => {
    expect(readResponseBody("application/json", bytes(`${"[".repeat(100)}${"]".repeat(100)}`)).json).toBeDefined();
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i])));
    expect(readResponseBody("application/json", bytes(many)).json).toBeDefined();
  });
});
