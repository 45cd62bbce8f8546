import { fc, test } from "@fast-check/vitest";
import { expect, it } from "vitest";
import { readModel } from "../catalogue/model.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { planTargets } from "./plan-targets.ts";

const provider: ProviderAdapter = {
  name: "none",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("No call is made.")),
  stream: () => Promise.reject(new Error("No call is made.")),
};

type Wanted = { readonly priority?: number; readonly weight?: number };

/** Targets named by their places. */
const targetsOf = (wanted: readonly Wanted[]): readonly ModelTarget[] =>
  readModel({
    id: "model",
    maxOutputTokens: 10,
    price: "free",
    targets: wanted.map((each, place) => ({ provider, model: String(place), ...each })),
  }).targets;

const names = (targets: readonly ModelTarget[]) => targets.map(({ upstreamModel }) => upstreamModel).join("");

/** All are well but those named, which failed at the time that stands behind their name. */
const allBut = (open: Readonly<Record<string, number>> = {}) => ({
  admits: ({ upstreamModel }: ModelTarget) => open[upstreamModel] === undefined,
  failedAt: ({ upstreamModel }: ModelTarget) => open[upstreamModel] ?? 0,
});

it("takes targets in the order of the list, or of their priorities", () => {
  expect(names(planTargets(targetsOf([{}, {}, {}]), allBut(), 0))).toBe("012");
  expect(names(planTargets(targetsOf([{ priority: 7 }, { priority: -1 }, { priority: 2.5 }]), allBut(), 0))).toBe(
    "120",
  );
});

it("leaves out what is open; when all are, takes the one that failed the longest ago", () => {
  const targets = targetsOf([{}, {}, {}]);
  expect(names(planTargets(targets, allBut({ 0: 5 }), 0))).toBe("12");
  expect(names(planTargets(targets, allBut({ 0: 5, 1: 3, 2: 4 }), 0))).toBe("1");
});

it("shares one priority by weight, first and second places alike", () => {
  const targets = targetsOf([
    { priority: 1, weight: 6 },
    { priority: 1, weight: 3 },
    { priority: 1, weight: 1 },
    { priority: 0, weight: 0.001 },
  ]);
  const draws = 20_000;
  const counts = new Map<string, number>();
  for (let i = 0; i < draws; i++) {
    const plan = names(planTargets(targets, allBut(), 0));
    counts.set(plan, (counts.get(plan) ?? 0) + 1);
  }
  const share = (plan: string) => (counts.get(plan) ?? 0) / draws;
  // Of 20,000 draws a share strays by less than 0.004 (one sigma), so these bounds hold but once in many lifetimes.
  expect(share("3012")).toBeCloseTo(0.6 * 0.75, 1);
  expect(share("3021")).toBeCloseTo(0.6 * 0.25, 1);
  expect(share("3102")).toBeCloseTo(0.3 * (6 / 7), 1);
  expect(share("3201") + share("3210")).toBeCloseTo(0.1, 1);
});

const wanted = fc.array(
  fc.record({ priority: fc.integer({ min: -2, max: 2 }), weight: fc.double({ min: 1e-9, max: 1e9, noNaN: true }) }),
  {
    minLength: 1,
    maxLength: 8,
  },
);

test.prop([wanted, fc.uniqueArray(fc.nat(7))])(
  "plans each target that is well once, none behind a later priority",
  (all, open) => {
    const targets = targetsOf(all);
    const health = allBut(Object.fromEntries(open.map((place) => [place, 1 + place])));
    const plan = planTargets(targets, health, 0);
    const well = targets.filter((each) => health.admits(each));
    const priorities = plan.map(({ priority }) => priority);
    expect(priorities).toEqual(priorities.toSorted((one, other) => one - other));
    if (well.length > 0) expect(new Set(plan)).toEqual(new Set(well));
    expect(plan).toHaveLength(Math.max(1, well.length));
  },
);
