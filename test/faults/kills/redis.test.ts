import { describe, expect, inject, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { killLimits } from "./kill-limits.ts";

const { seconds, leastKills } = { long: { seconds: 25, leastKills: 25 }, short: { seconds: 8, leastKills: 7 } }[form];
const url = inject("redis") ?? "";

describe.skipIf(url === "")("limits in Redis", () => {
  it(`are never exceeded, and release every place within its lease, while workers are killed for ${seconds} s`, async () => {
    const { violations, figures, deaths } = await killLimits(url, { seconds, killEveryMs: 700, mutated: false });
    printFigures("Kills on Redis limits", figures);
    expect(violations).toEqual([]);
    expect(deaths).toEqual([]);
    expect(figures["kills"]).toBeGreaterThanOrEqual(leastKills);
    const { exceeded: _exceeded, stuck: _stuck, ...seen } = figures;
    for (const [name, figure] of Object.entries(seen)) expect(figure, name).toBeGreaterThan(0);
  }, 60_000);

  it("are reported as exceeded when refunds reach a later window", async () => {
    let seen = "";
    // Whether a refund is late enough depends on chance and on the load of the machine.
    for (let tries = 0; tries < 4 && seen === ""; tries++) {
      const { violations, deaths } = await killLimits(url, { seconds: 8, killEveryMs: 3_000, mutated: true });
      expect(deaths).toEqual([]);
      seen = violations.join("\n");
    }
    expect(seen).toMatch(/tokens were granted in a window where/);
  }, 120_000);
});
