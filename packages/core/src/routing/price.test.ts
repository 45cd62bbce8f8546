import { describe, expect, it } from "vitest";
import type { PriceList } from "../ports/model-config.ts";
import { checkModels } from "../ports/model-schema.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { free, listAt, pricedTtls, readPrice } from "./price.ts";

it("reads decimal strings as nano-units", () => {
  expect(readPrice({ input: "2.50", output: "10", cachedInput: "1.25", cacheWrite: "3.13", request: "0.001" })).toEqual(
    {
      input: 2_500_000_000n,
      output: 10_000_000_000n,
      cachedInput: 1_250_000_000n,
      cacheWrite: 3_130_000_000n,
      cacheWrite1h: 3_130_000_000n,
      request: 1_000_000n,
      highestInput: 3_130_000_000n,
      tiers: [],
      from: undefined,
    },
  );
});

it("prices cached and cache-writing tokens as input when they have no price", () => {
  expect(readPrice({ input: "2", output: "3" })).toMatchObject({
    cachedInput: 2_000_000_000n,
    cacheWrite: 2_000_000_000n,
    request: 0n,
    highestInput: 2_000_000_000n,
  });
});

it("takes the price of a cached token as the highest where it is", () => {
  expect(readPrice({ input: "2", output: "3", cachedInput: "5" }).highestInput).toBe(5_000_000_000n);
});

it("takes the price of a one-hour cache write as the highest where it is, and returns which lifetimes have a price", () => {
  const list = { input: "2", output: "3", cacheWrite: "2.5", cacheWrite1h: "4" };
  expect(readPrice(list).highestInput).toBe(4_000_000_000n);
  expect([...pricedTtls(list)]).toEqual(["5m", "1h"]);
  expect([...pricedTtls({ input: "2", output: "3", cacheWrite: "2.5" })]).toEqual(["5m"]);
  expect([...pricedTtls({ input: "2", output: "3" })]).toEqual([]);
});

it("reads `free` as prices of 0", () => {
  expect(readPrice("free")).toBe(free);
});

it("derives the absent prices of a tier from that tier, and its price of a request from the list", () => {
  const tiers = [{ aboveInputTokens: 200_000, input: "4", output: "6", cacheWrite: "5" }];
  const price = readPrice({ input: "2", output: "3", cachedInput: "1", request: "0.5", tiers });
  expect(price.tiers).toEqual([
    {
      aboveInputTokens: 200_000,
      input: 4_000_000_000n,
      output: 6_000_000_000n,
      cachedInput: 4_000_000_000n,
      cacheWrite: 5_000_000_000n,
      cacheWrite1h: 5_000_000_000n,
      request: 500_000_000n,
      highestInput: 5_000_000_000n,
    },
  ]);
  expect(price.highestInput).toBe(2_000_000_000n);
});

it("has a price for a cache lifetime only if all tiers have one", () => {
  const tier = { aboveInputTokens: 10, input: "2", output: "3" };
  const list = { input: "2", output: "3", cacheWrite: "2.5", cacheWrite1h: "4" };
  expect([...pricedTtls({ ...list, tiers: [tier] })]).toEqual([]);
  expect([...pricedTtls({ ...list, tiers: [{ ...tier, cacheWrite: "5" }] })]).toEqual(["5m"]);
});

describe("price lists with a date", () => {
  const first = { input: "1", output: "1" };
  const second = { input: "2", output: "2", from: new Date("2027-01-01T00:00:00Z") };
  const third = { input: "3", output: "3", from: new Date("2027-02-01T00:00:00Z") };

  it.each<[time: string, list: PriceList]>([
    ["2020-01-01T00:00:00Z", first],
    ["2026-12-31T23:59:59.999Z", first],
    ["2027-01-01T00:00:00Z", second],
    ["2027-01-31T23:59:59.999Z", second],
    ["2030-01-01T00:00:00Z", third],
  ])("apply from their date on, in whatever order they are: %s", (time, list) => {
    for (const lists of [
      [first, second, third],
      [third, second, first],
    ])
      expect(listAt(lists, Date.parse(time))).toBe(list);
  });

  it("are not needed", () => {
    expect(listAt(first, 0)).toBe(first);
    expect(listAt("free", 0)).toBe("free");
  });
});

const provider: ProviderAdapter = {
  name: "none",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("No call is made.")),
  stream: () => Promise.reject(new Error("No call is made.")),
};

describe("an invalid price is reported with what to do", () => {
  const tier = (aboveInputTokens: number) => ({ aboveInputTokens, input: "1", output: "1" });
  const list = { input: "1", output: "1" };
  const dated = (time: string) => ({ ...list, from: new Date(time) });
  const day = "2027-01-01T00:00:00Z";
  it.each<[what: string, price: unknown, problem: string]>([
    [
      "tiers that descend",
      { ...list, tiers: [tier(2), tier(1)] },
      ".tiers` are not in ascending order of `aboveInputTokens`. Give the tier with the lowest number first, and each number once.",
    ],
    ["a tier twice", { ...list, tiers: [tier(1), tier(1)] }, ".tiers` are not in ascending order"],
    [
      "a tier above 0",
      { ...list, tiers: [tier(0)] },
      ".tiers[0].aboveInputTokens` must be a whole number of at least 1, not 0.",
    ],
    [
      "a tier without output",
      { ...list, tiers: [{ aboveInputTokens: 1, input: "1" }] },
      ".tiers[0].output` is missing. It is required in a price tier.",
    ],
    [
      "a tier with a price of a request",
      { ...list, tiers: [{ ...tier(1), request: "1" }] },
      ".tiers[0].request` is not a member of a price tier.",
    ],
    [
      "tiers that are no array",
      { ...list, tiers: tier(1) },
      ".tiers` must be an array of price tiers, each { aboveInputTokens, input, output }, not an object.",
    ],
    [
      "a date of the only list",
      dated(day),
      "` has a `from`, and there is no other list that applies before. Remove it, or give an array of price lists, one of them without `from`.",
    ],
    [
      "no list without a date",
      [dated(day)],
      "` has no price list without `from`. Add the one that applies before the others begin.",
    ],
    ["no list", [], "` has no price list without `from`."],
    ["two lists without a date", [list, list, dated(day)], "` has several price lists without `from`."],
    [
      "two lists from one date",
      [list, dated(day), dated(day)],
      "` has two price lists from 2027-01-01T00:00:00.000Z. Give each the time at which it begins.",
    ],
    ["a date as a text", [list, { ...list, from: day }], "[1].from` must be a valid Date"],
    ["an array with free", [list, "free"], "[1]` must be an object with the members of a price list"],
    [
      "a misspelt member of a dated list",
      [list, { ...dated(day), cachedinput: "1" }],
      "[1].cachedinput` is not a member of a price list. Did you mean cachedInput?",
    ],
  ])("%s", (_, price, problem) => {
    const target = { provider, model: "up" };
    for (const [place, model] of [
      ["price", { price, targets: [target] }],
      ["targets[0].price", { price: list, targets: [{ ...target, price }] }],
      ["targets[0].cost", { price: list, targets: [{ ...target, cost: price }] }],
    ] as const) {
      const problems = checkModels([{ id: "m", maxOutputTokens: 1, ...model }]);
      expect(problems.join(" ")).toContain(`\`models (m).${place}${problem}`);
    }
  });
});
