import { expect, it } from "vitest";
import { readLimits, shortestLimit } from "./target-limits.ts";

const reasoning = { effortLevels: ["low"], defaultEffort: "low" };
const usual = { connectMs: 5_000, firstFrameMs: 60_000, headMs: 300_000, idleMs: 60_000, totalMs: 600_000 };

it("has the defaults, and longer silences on models that reason", () => {
  expect(readLimits({}, {})).toEqual(usual);
  expect(readLimits({}, { reasoning })).toEqual({ ...usual, firstFrameMs: 300_000, idleMs: 300_000 });
});

it("takes each limit from the target, else the model, else the gateway", () => {
  const gateway = { connectMs: 1, firstFrameMs: 1, headMs: 1, idleMs: 1, totalMs: 1 };
  expect(readLimits(gateway, { reasoning })).toEqual(gateway);
  const upstream = { firstFrameMs: 2, idleMs: 2, totalMs: 2 };
  const expected = { connectMs: 1, firstFrameMs: 2, headMs: 3, idleMs: 3, totalMs: 2 };
  expect(readLimits(gateway, { upstream }, { upstream: { headMs: 3, idleMs: 3 } })).toEqual(expected);
});

it("finds the shortest of all, but for connecting", () => {
  const targets = [{ upstream: { headMs: 70, connectMs: 1 } }, {}].map((target) => ({
    provider: Object.create(null),
    model: "up",
    ...target,
  }));
  const models = [{ id: "one", maxOutputTokens: 1, price: "free" as const, upstream: { idleMs: 80 }, targets }];
  expect(shortestLimit({ models, upstream: { totalMs: 90 } })).toBe(70);
  expect(shortestLimit({ models: () => models, upstream: { totalMs: 90 } })).toBe(90);
});
