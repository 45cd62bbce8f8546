import { fc, test } from "@fast-check/vitest";
import { expect, it } from "vitest";
import type { ModelTarget } from "../ports/model.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { readModel } from "./model.ts";
import { planTargets } from "./plan-targets.ts";

const provider: ProviderAdapter = {
  name: "none",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("No call is made.")),
  stream: () => Promise.reject(new Error("No call is made.")),
};

type Wanted = { readonly priority?: number; readonly weight?: number };

/** Targets that are named by their position. */
const targetsOf = (wanted: readonly Wanted[]): readonly ModelTarget[] =>
  readModel({
    id: "model",
    maxOutputTokens: 10,
    price: "free",
    targets: wanted.map((each, place) => ({ provider, model: String(place), ...each })),
  }).targets;

const names = (targets: readonly ModelTarget[]) => targets.map(({ upstreamModel }) => upstreamModel).join("");

/** Admits all targets except those named, each of which failed at the time given. */
const allBut = (open: Readonly<Record<string, number>> = {}) => ({
  admits: ({ upstreamModel }: ModelTarget) => open[upstreamModel] === undefined,
  failedAt: ({ upstreamModel }: ModelTarget) => open[upstreamModel] ?? 0,
});

const noPreference = { nativeMethod: () => undefined, conversation: () => undefined };

it("prefers targets that speak the dialect of the request, within one priority", () => {
  const targets = targetsOf([{ priority: 1 }, { priority: 1 }, { priority: 2 }, { priority: 0 }]);
  const native = new Set(["1", "2"]);
  const preference = {
    ...noPreference,
    nativeMethod: ({ upstreamModel }: ModelTarget) => native.has(upstreamModel) || undefined,
  };
  for (let draw = 0; draw < 20; draw++) expect(names(planTargets(targets, allBut(), preference, 0))).toBe("3102");
});

it("sorts targets by position, or by priority", () => {
  expect(names(planTargets(targetsOf([{}, {}, {}]), allBut(), noPreference, 0))).toBe("012");
  expect(
    names(planTargets(targetsOf([{ priority: 7 }, { priority: -1 }, { priority: 2.5 }]), allBut(), noPreference, 0)),
  ).toBe("120");
});

it("leaves out open targets; if all are open, returns the one whose last failure is oldest", () => {
  const targets = targetsOf([{}, {}, {}]);
  expect(names(planTargets(targets, allBut({ 0: 5 }), noPreference, 0))).toBe("12");
  expect(names(planTargets(targets, allBut({ 0: 5, 1: 3, 2: 4 }), noPreference, 0))).toBe("1");
});

it("distributes the targets of one priority by weight, in the first and the second position", () => {
  const targets = targetsOf([
    { priority: 1, weight: 6 },
    { priority: 1, weight: 3 },
    { priority: 1, weight: 1 },
    { priority: 0, weight: 0.001 },
  ]);
  const draws = 20_000;
  const counts = new Map<string, number>();
  for (let i = 0; i < draws; i++) {
    const plan = names(planTargets(targets, allBut(), noPreference, 0));
    counts.set(plan, (counts.get(plan) ?? 0) + 1);
  }
  const share = (plan: string) => (counts.get(plan) ?? 0) / draws;
  // With 20,000 samples one sigma is below 0.004, so these bounds practically never fail by chance.
  expect(share("3012")).toBeCloseTo(0.6 * 0.75, 1);
  expect(share("3021")).toBeCloseTo(0.6 * 0.25, 1);
  expect(share("3102")).toBeCloseTo(0.3 * (6 / 7), 1);
  expect(share("3201") + share("3210")).toBeCloseTo(0.1, 1);
});

it("keeps a conversation at its target, which it returns to after the target was open", () => {
  const targets = targetsOf(Array.from({ length: 4 }, () => ({ priority: 1 })));
  const of = (name: string, health = allBut()) =>
    names(planTargets(targets, health, { ...noPreference, conversation: () => name }, 0));
  for (let conversation = 0; conversation < 50; conversation++) {
    const plan = of(`acme\0${conversation}`);
    expect(of(`acme\0${conversation}`)).toBe(plan);
    const [first = ""] = plan;
    expect(of(`acme\0${conversation}`, allBut({ [first]: 1 }))).toBe(plan.slice(1));
  }
});

it("prefers priority and dialect to the conversation", () => {
  const targets = targetsOf([{ priority: 1 }, { priority: 1 }, { priority: 0 }, { priority: 0 }]);
  const nativeMethod = ({ upstreamModel }: ModelTarget) => ["1", "3"].includes(upstreamModel) || undefined;
  for (let conversation = 0; conversation < 20; conversation++) {
    const preference = { nativeMethod, conversation: () => `acme\0${conversation}` };
    expect(names(planTargets(targets, allBut(), preference, 0))).toBe("3210");
  }
});

const wanted = fc.array(
  fc.record({ priority: fc.integer({ min: -2, max: 2 }), weight: fc.double({ min: 1e-9, max: 1e9, noNaN: true }) }),
  {
    minLength: 1,
    maxLength: 8,
  },
);

test.prop([wanted, fc.uniqueArray(fc.nat(7))])("returns each admitted target once, sorted by priority", (all, open) => {
  const targets = targetsOf(all);
  const health = allBut(Object.fromEntries(open.map((place) => [place, 1 + place])));
  const plan = planTargets(targets, health, noPreference, 0);
  const well = targets.filter((each) => health.admits(each));
  const priorities = plan.map(({ priority }) => priority);
  expect(priorities).toEqual(priorities.toSorted((a, b) => a - b));
  if (well.length > 0) expect(new Set(plan)).toEqual(new Set(well));
  expect(plan).toHaveLength(Math.max(1, well.length));
});
