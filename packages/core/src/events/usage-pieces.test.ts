import { describe, expect, it } from "vitest";
import { dividePieces } from "./usage-pieces.ts";

const from = new Date("2026-03-02T00:00:00Z");
const to = new Date("2026-03-04T10:30:00Z");
const query = { from, to, bucket: "day", groupBy: "account" } as const;
const totals = { dimension: "account", grain: "day" };

describe("dividePieces", () => {
  it("reads the last bucket from totals and subtracts the rows after the end when the end is near the present", () => {
    const end = new Date("2026-03-05T00:00:00Z");
    for (const now of [to.getTime() - 3_600_000, to.getTime(), to.getTime() + 60_000]) {
      expect(dividePieces(query, now)).toEqual([
        { from, to: end, totals },
        { from: to, to: end, subtracted: true },
      ]);
    }
  });

  it("reads the last hour from rows when the end is past, or the present is unknown", () => {
    const [start, hour] = [new Date("2026-03-04T00:00:00Z"), new Date("2026-03-04T10:00:00Z")];
    const expected = [
      { from, to: start, totals },
      { from: start, to: hour, totals: { dimension: "account", grain: "hour" } },
      { from: hour, to },
    ];
    expect(dividePieces(query, to.getTime() + 60_001)).toEqual(expected);
    expect(dividePieces(query)).toEqual(expected);
  });

  it("reads only rows, and none twice, without totals for the dimension", () => {
    expect(dividePieces({ ...query, groupBy: "dialect" }, to.getTime())).toEqual([{ from, to }]);
  });

  it("subtracts nothing when no total begins within the range", () => {
    const late = new Date("2026-03-04T10:00:01Z");
    expect(dividePieces({ ...query, from: late }, to.getTime())).toEqual([{ from: late, to }]);
  });
});
