import { describe, expect, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { killDeliveries } from "./kill-deliveries.ts";

const kills = { long: 12, short: 3 }[form];

describe("the notices of processes that are killed between claim and finish", () => {
  it(`are each delivered by another process, with the same id, after ${kills} kills`, async () => {
    const { crossed, lost, unanswered, repeated, deaths, ...figures } = await killDeliveries(kills);
    printFigures("Kills during deliveries", { ...figures, crossed, repeated: repeated.length });
    expect(deaths).toEqual([]);
    expect(lost).toEqual([]);
    expect(crossed).toBeGreaterThan(0);
    expect(new Set(repeated)).toEqual(unanswered);
  }, 240_000);

  it("are lost, and the test shows it, when a claim removes them", async () => {
    const { lost } = await killDeliveries(1, true);
    expect(lost).not.toEqual([]);
  }, 120_000);
});
