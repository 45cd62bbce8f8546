import { describe, expect, it } from "vitest";
import { printFigures } from "../faults/figures.ts";
import { runSoak, type SoakLength } from "./run-soak.ts";

const isLong = process.env["SOAK"] === "long";

// Until a process has served some 15,000 requests its heap grows by 1.5 MB, and an outage adds up to 3 MB for a while.
const floors = { heapFloorBytes: 6_000_000 };
const short: SoakLength = { seconds: 60, killEverySeconds: 10, warmUpSeconds: 0, sampledAfterSeconds: 20, ...floors };
// Sampling begins after the outage in the middle of the soak.
const long: SoakLength = {
  seconds: 600,
  killEverySeconds: 30,
  warmUpSeconds: 90,
  sampledAfterSeconds: 330,
  heapFloorBytes: 0,
};
const length = isLong ? long : short;

it("loses no charge, no usage, no memory and no socket while everything around a gateway fails", async () => {
  const { violations, figures } = await runSoak(length);
  printFigures("Soak", figures);
  expect(violations.slice(0, 20)).toEqual([]);
  expect(figures["kills"]).toBeGreaterThanOrEqual(Math.floor(length.seconds / length.killEverySeconds) - 1);
}, 1_000_000);

const brief: SoakLength = { seconds: 30, killEverySeconds: 10, warmUpSeconds: 0, sampledAfterSeconds: 5, ...floors };

// Not skipped in the short form, where a skipped test would be a failure.
if (isLong)
  describe("the soak detects", () => {
    it("charges that aborted streams do not settle", async () => {
      const { violations } = await runSoak(brief, "aborted streams unsettled");
      expect(violations.join("\n")).toMatch(/The stream .* was cut client .* and charged 0, not 1 to/);
    }, 120_000);

    it("a list that remembers each request", async () => {
      const { violations } = await runSoak(brief, "requests remembered");
      expect(violations.join("\n")).toMatch(/The heap grows by/);
    }, 120_000);
  });
