import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { endOfString, isUtf8, textLength } from "./json-string-bytes.ts";

const strict = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

describe("isUtf8", () => {
  const near = fc.array(
    fc.constantFrom(
      0x41,
      0x80,
      0x8f,
      0x90,
      0x9f,
      0xa0,
      0xbf,
      0xc1,
      0xc2,
      0xe0,
      0xe1,
      0xed,
      0xef,
      0xf0,
      0xf1,
      0xf4,
      0xf5,
      0xff,
    ),
    { maxLength: 6 },
  );
  test.prop(
    [
      fc.oneof(
        near.map((bytes) => Uint8Array.from(bytes)),
        fc.uint8Array({ maxLength: 8 }),
      ),
    ],
    { numRuns: runs(3000) },
  )("agrees with a strict decoder", (bytes) => {
    expect(isUtf8(bytes, 0, bytes.length)).toBe(strict(bytes));
  });

  test.prop([fc.string({ unit: "grapheme" })])("accepts every text", (text) => {
    const bytes = new TextEncoder().encode(`x${text}x`);
    expect(isUtf8(bytes, 1, bytes.length - 1)).toBe(true);
  });

  it("does not read beyond the end for the rest of a character", () => {
    expect(isUtf8(new TextEncoder().encode("é"), 0, 1)).toBe(false);
  });
});

describe("a JSON string", () => {
  const escaped = (text: string) =>
    text.replace(/./gsu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

  test.prop([
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary-ascii" }),
    fc.string({ unit: "binary-ascii" }),
  ])("ends at its quote, and has the length of its text", (text, before, after) => {
    const bytes = new TextEncoder().encode(`${before}${JSON.stringify(text)}${after}`);
    const start = before.length + 1;
    const end = endOfString(bytes, start, bytes.length);
    expect(end).toBe(bytes.length - after.length - 1);
    expect(textLength(bytes, start, end)).toBe(new TextEncoder().encode(text).length);
  });

  test.prop([fc.string({ unit: "binary-ascii" })])(
    "has the length of its text with every character escaped",
    (text) => {
      const bytes = new TextEncoder().encode(`${escaped(text)}"`);
      expect(endOfString(bytes, 0, bytes.length)).toBe(bytes.length - 1);
      expect(textLength(bytes, 0, bytes.length - 1)).toBe(text.length);
    },
  );

  test.prop([fc.string({ unit: "binary" }), fc.array(fc.constantFrom("\ud83d", "\ude00", "a"), { maxLength: 6 })])(
    "has the length of its text with halves of surrogate pairs",
    (text, halves) => {
      const whole = text + halves.join("");
      const units = Array.from({ length: whole.length }, (_, at) => whole.charCodeAt(at).toString(16).padStart(4, "0"));
      const bytes = new TextEncoder().encode(units.map((unit) => `\\u${unit}`).join(""));
      expect(textLength(bytes, 0, bytes.length)).toBe(new TextEncoder().encode(whole).length);
    },
  );

  it.each(['\\x"', '\\u12g4"', "\\", "\\u123", 'a\n"', "no quote"])("has no end in %j", (inside) => {
    const bytes = new TextEncoder().encode(inside);
    expect(endOfString(bytes, 0, bytes.length)).toBe(-1);
  });
});
