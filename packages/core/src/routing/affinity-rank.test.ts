import { expect, it } from "vitest";
import type { ModelTarget } from "../ports/model.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { readModel } from "./model.ts";
import { affinityRank } from "./plan-targets.ts";

const providerNamed = (name: string): ProviderAdapter => ({
  name,
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("No call is made.")),
  stream: () => Promise.reject(new Error("No call is made.")),
});

type Wanted = { readonly name: string; readonly model?: string; readonly weight?: number };

const targetsOf = (wanted: readonly Wanted[]): readonly ModelTarget[] =>
  readModel({
    id: "model",
    maxOutputTokens: 10,
    price: "free",
    targets: wanted.map(({ name, model = "up", weight = 1 }) => ({
      provider: providerNamed(name),
      model,
      priority: 1,
      weight,
    })),
  }).targets;

const keys = Array.from({ length: 20_000 }, (_, index) => `acme\0conversation-${index}`);

/** With 20,000 conversations one sigma is below 0.004. */
const expectShare = (share: number, wanted: number) => expect(Math.abs(share - wanted)).toBeLessThan(0.01);

/** The name of the target of each conversation. */
const choicesOf = (targets: readonly ModelTarget[]): readonly (string | undefined)[] =>
  keys.map((key) => {
    const ranks = targets.map((target) => affinityRank(key, target));
    return targets[ranks.indexOf(Math.min(...ranks))]?.identity;
  });

const shareOf = (choices: readonly unknown[], choice: unknown) =>
  choices.filter((each) => each === choice).length / keys.length;

it("distributes conversations by weight", () => {
  const targets = targetsOf([
    { name: "a", weight: 6 },
    { name: "b", weight: 3 },
    { name: "c", weight: 1 },
  ]);
  const choices = choicesOf(targets);
  for (const { identity, weight } of targets) expectShare(shareOf(choices, identity), weight / 10);
});

it("moves only the conversations of a target that is removed", () => {
  const all = targetsOf([{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d" }]);
  const removed = all[1]?.identity;
  const before = choicesOf(all);
  const after = choicesOf(all.filter(({ identity }) => identity !== removed));
  expect(before.every((choice, index) => choice === removed || choice === after[index])).toBe(true);
  expectShare(shareOf(before, removed), 0.25);
  const inherited = before.map((choice, index) => (choice === removed ? after[index] : undefined));
  for (const { identity } of all.filter((each) => each.identity !== removed)) {
    expectShare(shareOf(inherited, identity), 0.25 / 3);
  }
});

it("depends on the names of the targets and not on their order", () => {
  const wanted = [{ name: "a" }, { name: "b" }, { name: "b", model: "other" }, { name: "c" }];
  expect(choicesOf(targetsOf(wanted.toReversed()))).toEqual(choicesOf(targetsOf(wanted)));
});

it("distributes conversations among targets with equal names", () => {
  const targets = targetsOf([{ name: "a" }, { name: "a" }, { name: "a" }]);
  const choices = choicesOf(targets);
  for (const { identity } of targets) expectShare(shareOf(choices, identity), 1 / 3);
});
