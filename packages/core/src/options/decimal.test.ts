import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { formatAmount, parseAmount } from "./decimal.ts";

describe("parseAmount", () => {
  it.each([
    ["1.25", 1_250_000_000n],
    ["0", 0n],
    ["-0", 0n],
    ["007.50", 7_500_000_000n],
    ["-0.000000001", -1n],
    ["9007199254740993.000000001", 9_007_199_254_740_993_000_000_001n],
  ])("reads %s", (text, nano) => {
    expect(parseAmount(text)).toBe(nano);
  });

  it.each(["", " 1", "1 ", "+1", "1.", ".5", "1e3", "1,5", "0x10", "Infinity", "NaN", "--1", "1.2.3", "٣", "1\n"])(
    "refuses %j and shows how to write it",
    (text) => {
      expect(() => parseAmount(text)).toThrow(/is not a decimal number. Write it as digits/);
    },
  );

  it("names the number of decimals when there are too many", () => {
    expect(() => parseAmount("1.0000000001")).toThrow('"1.0000000001" has 10 decimals. Write at most 9.');
    expect(() => parseAmount("1.255", 2)).toThrow("Write at most 2.");
    expect(parseAmount("1.25", 2)).toBe(1_250_000_000n);
  });
});

describe("formatAmount", () => {
  it.each([
    [1_250_000_000n, "1.25"],
    [0n, "0"],
    [-1n, "-0.000000001"],
    [10_000_000_000n, "10"],
  ])("writes %s", (nano, text) => {
    expect(formatAmount(nano)).toBe(text);
  });

  it("is inverted by parseAmount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (nano) => {
        expect(parseAmount(formatAmount(nano))).toBe(nano);
      }),
      { numRuns: runs(10_000) },
    );
  });

  it("writes the canonical form of every valid text", () => {
    const text = fc.stringMatching(/^-?[0-9]{1,20}(\.[0-9]{1,9})?$/);
    const canonical = /^(0|-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?)$/;
    fc.assert(
      fc.property(text, (written) => {
        const shown = formatAmount(parseAmount(written));
        expect(shown).toMatch(canonical);
        expect(shown).not.toBe("-0");
        expect(parseAmount(shown)).toBe(parseAmount(written));
      }),
      { numRuns: runs(10_000) },
    );
  });
});
