import { expect, it } from "vitest";
import { bucketOf, bucketStarts, periodBefore, rangeQuery, readRange } from "./time-range.ts";

const now = Date.parse("2026-11-23T12:34:56Z");
const read = (query: Readonly<Record<string, string>>) => {
  const range = readRange(query, now, "7d");
  return range && rangeQuery(range);
};

it("begins a period of days at midnight UTC, and ends it with the present hour", () => {
  expect(read({})).toEqual({ from: "2026-11-17T00:00:00.000Z", to: "2026-11-23T13:00:00.000Z" });
});

it("begins the last 24 hours with an hour", () => {
  expect(read({ range: "24h" })).toEqual({ from: "2026-11-22T13:00:00.000Z", to: "2026-11-23T13:00:00.000Z" });
});

it("prefers from and to, unless they are no period", () => {
  const chosen = { from: "2026-11-01T00:00:00.000Z", to: "2026-11-02T00:00:00.000Z" };
  expect(read({ ...chosen, range: "30d" })).toEqual(chosen);
  expect(read({ from: chosen.to, to: chosen.from })).toEqual(read({}));
  expect(readRange({}, now)).toBeUndefined();
});

it("compares with a period of the same length that ends where it begins", () => {
  expect(periodBefore({ from: 100, to: 130 })).toEqual({ from: 70, to: 100 });
});

it("cuts a period into buckets that begin at UTC borders", () => {
  const range = { from: Date.parse("2026-01-31T05:00:00Z"), to: Date.parse("2026-03-01T00:00:00Z") };
  expect(bucketOf(range)).toBe("day");
  expect(bucketStarts(range, "day")).toHaveLength(29);
  expect(bucketStarts(range, "month").map((start) => new Date(start).toISOString())).toEqual([
    "2026-01-01T00:00:00.000Z",
    "2026-02-01T00:00:00.000Z",
  ]);
});
