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

  it("reads the models, keys, dialects and tags of one account from its totals, and rows where a day is not whole", () => {
    const end = new Date("2026-03-04T00:00:00Z");
    for (const [groupBy, filter] of [
      ["model", { account: "acme" }],
      ["key", { account: "acme" }],
      ["dialect", { account: "acme" }],
      ["tag", { account: "acme" }],
      ["key", { account: "acme", key: "k" }],
      [undefined, { account: "acme", model: "m" }],
    ] as const) {
      const dimension = groupBy ?? "model";
      const ofAccount = { ...query, filter, ...(groupBy === undefined ? {} : { groupBy }) };
      const { groupBy: _, ...ungrouped } = ofAccount;
      expect(dividePieces(groupBy === undefined ? ungrouped : ofAccount)).toEqual([
        { from, to: end, totals: { dimension, grain: "day" }, account: "acme" },
        { from: end, to },
      ]);
    }
  });

  it("reads rows for the models of several accounts, and for a dimension without totals", () => {
    for (const mixed of [
      { groupBy: "account", filter: { model: "m" } },
      { groupBy: "account", filter: { account: "acme", model: "m" } },
      { groupBy: "model", filter: { account: "acme", key: "k" } },
      { groupBy: "end_user", filter: { account: "acme" } },
      { groupBy: "tag", filter: { account: "acme", tag: "red" } },
      { groupBy: "model", filter: { account: "acme" }, bucket: "hour" },
    ] as const) {
      expect(dividePieces({ ...query, ...mixed })).toEqual([{ from, to }]);
    }
  });

  it("subtracts nothing when no total begins within the range", () => {
    const late = new Date("2026-03-04T10:00:01Z");
    expect(dividePieces({ ...query, from: late }, to.getTime())).toEqual([{ from: late, to }]);
  });
});
