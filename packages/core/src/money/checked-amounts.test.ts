import { describe, expect, it } from "vitest";
import { checkedAmount, checkedWholeNumber } from "../options/problems.ts";

describe("an amount", () => {
  it("is a bigint of at least the least one", () => {
    expect([checkedAmount(1n, 1n), checkedAmount(0n, 0n), checkedAmount(2n ** 70n, 1n)]).toEqual([1n, 0n, 2n ** 70n]);
  });

  it.each<[shown: string, amount: unknown, least: bigint]>([
    ["0", 0n, 1n],
    ["-1", -1n, 0n],
    ["5", 5, 1n],
    ["undefined", undefined, 1n],
    ["Symbol(5)", Symbol("5"), 1n],
  ])("is not %s", (shown, amount, least) => {
    expect(() => checkedAmount(amount as bigint, least)).toThrow(
      new RangeError(`An amount must be a bigint of at least ${least} nano-units, not ${shown}.`),
    );
  });
});

describe("a whole number", () => {
  it("is at least the least one", () => {
    expect([checkedWholeNumber("limit", 1, 1), checkedWholeNumber("limit", 0, 0)]).toEqual([1, 0]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("is not %s", (value) => {
    expect(() => checkedWholeNumber("limit", value, 1)).toThrow(
      new RangeError(`limit must be a whole number of at least 1, not ${value}.`),
    );
  });
});
