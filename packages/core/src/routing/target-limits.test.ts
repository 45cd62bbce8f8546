import { expect, it } from "vitest";
import { readLimits, shortestLimit } from "./model.ts";

const reasoning = { effortLevels: ["low"], defaultEffort: "low" };
const defaults = { connectMs: 5_000, firstFrameMs: 60_000, headMs: 300_000, idleMs: 60_000, totalMs: 600_000 };

it("has defaults, which allow longer pauses for models with reasoning", () => {
  expect(readLimits({}, {})).toEqual(defaults);
  expect(readLimits({}, { reasoning })).toEqual({ ...defaults, firstFrameMs: 300_000, idleMs: 300_000 });
});

it("takes each limit from the target, else the model, else the gateway", () => {
  const gateway = { connectMs: 1, firstFrameMs: 1, headMs: 1, idleMs: 1, totalMs: 1 };
  expect(readLimits(gateway, { reasoning })).toEqual(gateway);
  const upstream = { firstFrameMs: 2, idleMs: 2, totalMs: 2 };
  const expected = { connectMs: 1, firstFrameMs: 2, headMs: 3, idleMs: 3, totalMs: 2 };
  expect(readLimits(gateway, { upstream }, { upstream: { headMs: 3, idleMs: 3 } })).toEqual(expected);
});

it("returns the shortest limit, except `connectMs`", () => {
  const targets = [{ upstream: { headMs: 70, connectMs: 1 } }, {}].map((target) => ({
    provider: Object.create(null),
    model: "up",
    ...target,
  }));
  const models = [{ id: "one", maxOutputTokens: 1, price: "free" as const, upstream: { idleMs: 80 }, targets }];
  expect(shortestLimit({ models, upstream: { totalMs: 90 } })).toBe(70);
  expect(shortestLimit({ models: () => models, upstream: { totalMs: 90 } })).toBe(90);
});
