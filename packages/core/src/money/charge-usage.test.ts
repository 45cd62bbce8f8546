import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { free, readPrice } from "../routing/price.ts";
import { readUsage, type Usage } from "../wire/usage.ts";
import { chargeAmount, chargeUsage, exceeds, holdAmount } from "./cost.ts";

const price = readPrice({ input: "1", output: "2" });
const boundOf = (prompt: number, output: number) => ({
  amount: holdAmount(price, prompt, output),
  tokens: prompt + output,
});
const usageOf = (prompt_tokens: number, completion_tokens: number): Usage =>
  readUsage({ prompt_tokens, completion_tokens }) ?? expect.fail("The usage cannot be read.");

describe("chargeUsage", () => {
  it("charges the reported usage up to ten times the hold, also above ten times the bound of the prompt", () => {
    const usage = usageOf(48_169, 10);
    const charge = chargeUsage(price, usage, boundOf(2_100, 1_500));
    expect(charge).toEqual({ usage, cost: 48_189_000n, tier: undefined, cutFrom: undefined });
    expect(charge.usage).toBe(usage);
  });

  it("charges exactly ten times the hold above it, and cuts the counts in the same proportion", () => {
    const bound = boundOf(100, 10);
    expect(chargeUsage(price, usageOf(1_200, 0), bound)).toMatchObject({ cost: 1_200_000n, cutFrom: undefined });
    expect(chargeUsage(price, usageOf(12_000, 600), bound)).toEqual({
      usage: { prompt_tokens: 1_090, completion_tokens: 54, total_tokens: 1_144 },
      cost: 1_200_000n,
      tier: undefined,
      cutFrom: usageOf(12_000, 600),
    });
  });

  it("names the tier of the reported usage, also where the cut counts are below it", () => {
    const tiered = readPrice({
      input: "1",
      output: "2",
      tiers: [{ aboveInputTokens: 5_000, input: "2", output: "4" }],
    });
    expect(chargeUsage(tiered, usageOf(12_000, 600), boundOf(100, 10))).toMatchObject({
      usage: { prompt_tokens: 545 },
      tier: { aboveInputTokens: 5_000 },
    });
    expect(chargeUsage(tiered, usageOf(12_000, 600), boundOf(12_000, 600)).tier?.aboveInputTokens).toBe(5_000);
    expect(chargeUsage(tiered, usageOf(5_000, 0), boundOf(5_000, 0)).tier).toBeUndefined();
  });

  it("cuts at ten times the reserved tokens where the model is free", () => {
    const bound = { amount: 0n, tokens: 110 };
    expect(chargeUsage(free, usageOf(1_000, 100), bound)).toMatchObject({ cost: 0n, cutFrom: undefined });
    expect(chargeUsage(free, usageOf(1_000_000_000, 0), bound)).toEqual({
      usage: { prompt_tokens: 1_100, completion_tokens: 0, total_tokens: 1_100 },
      cost: 0n,
      tier: undefined,
      cutFrom: usageOf(1_000_000_000, 0),
    });
  });

  it("never charges more than ten times the hold nor less than the hold for a usage above it, and the cut counts never cost more", () => {
    const count = fc.nat(1_000_000_000);
    const bounds = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(count, count, bounds, bounds, (prompt, completion, promptBound, outputBound) => {
        const bound = boundOf(promptBound, outputBound);
        const usage = usageOf(prompt, completion);
        const charge = chargeUsage(price, usage, bound);
        const asTold = chargeAmount(price, usage);
        expect(charge.cost).toBe(asTold < 10n * bound.amount ? asTold : 10n * bound.amount);
        expect(charge.cutFrom).toBe(asTold > 10n * bound.amount ? usage : undefined);
        expect(chargeAmount(price, charge.usage)).toBeLessThanOrEqual(charge.cost);
      }),
    );
  });
});

describe("a usage above a multiple of the reserved amount", () => {
  it.each<[what: string, usage: Usage, isAbove: boolean]>([
    ["exactly twice the amount", usageOf(200, 20), false],
    ["one token more", usageOf(201, 20), true],
  ])("is decided by its cost: %s", (_, usage, isAbove) => {
    expect(exceeds(2, price, usage, boundOf(100, 10))).toBe(isAbove);
  });

  it.each<[what: string, usage: Usage, isAbove: boolean]>([
    ["exactly twice the tokens", usageOf(200, 20), false],
    ["one token more", usageOf(200, 21), true],
  ])("is decided by its tokens where the model is free: %s", (_, usage, isAbove) => {
    expect(exceeds(2, free, usage, { amount: 0n, tokens: 110 })).toBe(isAbove);
  });
});
