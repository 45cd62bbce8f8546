import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { crc32, generateKey, readKey } from "./key-format.ts";

const prefixes = fc.stringMatching(/^[A-Za-z0-9](?:[A-Za-z0-9_]{0,30}[A-Za-z0-9])?$/);

describe("a key", () => {
  it("is parsed with its prefix into its text and last four characters", () => {
    fc.assert(
      fc.property(prefixes, (prefix) => {
        const text = generateKey(prefix);
        expect(readKey(text, prefix)).toEqual({ text, lastFour: text.slice(-4) });
        expect(text).toMatch(/_[0-9A-Za-z]{38}$/);
      }),
    );
  });

  it("is invalid when any one character has changed", () => {
    const characters = fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code));
    const places = fc.nat({ max: "tg_".length + 37 });
    fc.assert(
      fc.property(places, characters, (place, character) => {
        const text = generateKey("tg");
        fc.pre(text[place] !== character);
        expect(readKey(text.slice(0, place) + character + text.slice(place + 1), "tg")).toBeUndefined();
      }),
      { numRuns: runs(5_000) },
    );
  });

  it("is invalid when it is longer, shorter, or has another prefix", () => {
    const text = generateKey("tg");
    for (const other of [`${text}0`, text.slice(0, -1), ` ${text}`, `${text}\n`, "", "tg_"]) {
      expect(readKey(other, "tg")).toBeUndefined();
    }
    expect(readKey(text, "acme")).toBeUndefined();
    expect(readKey(generateKey("tg_live"), "tg")).toBeUndefined();
  });

  it("has each of the 62 characters equally often", () => {
    const counts = new Map<string, number>();
    const keys = 4_000;
    for (let made = 0; made < keys; made++) {
      for (const character of generateKey("tg").slice(3, 35)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    const expected = (keys * 32) / 62;
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(counts.size).toBe(62);
    // 61 degrees of freedom: above 150 once in 10^8 runs. Taking bytes modulo 62 would give more than 1,000.
    expect(chiSquare).toBeLessThan(150);
  });

  it("refuses a prefix that would make it ambiguous", () => {
    for (const prefix of ["", "_tg", "tg_", "t g", "tg-live", "é", "x".repeat(33)]) {
      expect(() => generateKey(prefix)).toThrow(RangeError);
    }
  });
});

it("the checksum is the CRC-32 of IEEE 802.3", () => {
  expect(crc32("123456789")).toBe(0xcbf43926);
  expect(crc32("")).toBe(0);
});
