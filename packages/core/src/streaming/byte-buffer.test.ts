import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { isUtf8, standsAt, utf8Length } from "./byte-buffer.ts";

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

  test.prop([fc.string({ unit: "grapheme" })])("takes every text", (text) => {
    const bytes = new TextEncoder().encode(`x${text}x`);
    expect(isUtf8(bytes, 1, bytes.length - 1)).toBe(true);
  });

  it("does not look beyond the end for the rest of a character", () => {
    expect(isUtf8(new TextEncoder().encode("é"), 0, 1)).toBe(false);
  });
});

describe("utf8Length", () => {
  test.prop([fc.string({ unit: "grapheme" })])("is the length of the encoded text", (text) => {
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
  });
});

describe("standsAt", () => {
  test.prop([fc.uint8Array({ maxLength: 80 }), fc.nat(80), fc.nat(80), fc.nat(80)])(
    "finds a run where it is, and nowhere past the end",
    (bytes, from, length, place) => {
      const run = bytes.slice(from, from + length);
      const there = bytes.subarray(place, place + run.length);
      const same = there.length === run.length && there.every((byte, at) => byte === run[at]);
      expect(standsAt(run, bytes, place, bytes.length)).toBe(same && place <= bytes.length);
    },
  );
});
