import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { byteLength, decodeUtf8, encodeUtf8 } from "./bytes.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 100 }),
  fc.string({ maxLength: 200 }),
);

describe("decodeUtf8", () => {
  it("decodes what was encoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(decodeUtf8(encodeUtf8(text))).toBe(text);
      }),
    );
  });

  it("accepts the same bytes as a strict decoder", () => {
    const strict = (bytes: Uint8Array): string | undefined => {
      const text = Buffer.from(bytes).toString("utf8");
      return Buffer.compare(Buffer.from(text), bytes) === 0 ? text : undefined;
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        expect(decodeUtf8(bytes)).toBe(strict(bytes));
      }),
      { numRuns: runs(20_000) },
    );
  });

  it("returns the same as TextDecoder for long texts, whole or truncated anywhere", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const strict = (bytes: Uint8Array): string | undefined => {
      try {
        return decoder.decode(bytes);
      } catch {
        return undefined;
      }
    };
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 20 }), fc.nat(), fc.nat(255), (text, times, place, byte) => {
        const whole = encodeUtf8(`${text}\ufeffé${"a".repeat(20)}—😀`.repeat(times));
        expect(decodeUtf8(whole)).toBe(strict(whole));
        const broken = Uint8Array.from(whole);
        broken[place % broken.length] = byte;
        expect(decodeUtf8(broken)).toBe(strict(broken));
        const cutOff = broken.subarray(0, place % broken.length);
        expect(decodeUtf8(cutOff)).toBe(strict(cutOff));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["an overlong form", [0xc0, 0xaf]],
    ["a character cut off", [0xe2, 0x82]],
    ["a code point above U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
  ])("refuses %s", (_, bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined();
  });

  it("keeps a byte order mark, so that JSON.parse rejects it", () => {
    const text = decodeUtf8(Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]));
    expect(text).toBe("\ufeff{}");
    expect(() => JSON.parse(text ?? "{}")).toThrow(SyntaxError);
  });

  it("decodes a view and not the buffer under it", () => {
    expect(decodeUtf8(Buffer.from("abcdef").subarray(2, 4))).toBe("cd");
  });
});

describe("encodeUtf8 and byteLength", () => {
  it("return the same as TextEncoder for every length", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(1, 40, 400), (text, times) => {
        const long = text.repeat(times);
        const expected = new TextEncoder().encode(long);
        expect(Buffer.compare(encodeUtf8(long), expected)).toBe(0);
        expect(byteLength(long)).toBe(expected.byteLength);
      }),
    );
  });
});
