import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import type { Price, Rates } from "../ports/model.ts";
import { free, readPrice } from "../routing/price.ts";
import type { Usage } from "../wire/usage.ts";
import {
  affordableOutput,
  affordableOutputAtAll,
  chargeAmount,
  holdAmount,
  tierOf,
  withHourWrites,
  worstCaseCost,
} from "./cost.ts";

const price = readPrice({ input: "2.50", output: "10.00", cachedInput: "1.25", cacheWrite: "3.13", request: "0.001" });

const usage = (prompt: number, completion: number, cached?: number, written?: number): Usage => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: {
    ...(cached === undefined ? {} : { cached_tokens: cached }),
    ...(written === undefined ? {} : { cache_write_tokens: written }),
  },
});

const perMillion = fc.oneof(
  fc.bigInt({ min: 0n, max: 100n }),
  fc.bigInt({ min: 0n, max: 10n ** 9n }),
  fc.bigInt({ min: 0n, max: 10n ** 13n }),
);
const anyRates: fc.Arbitrary<Rates> = fc
  .tuple(perMillion, perMillion, perMillion, perMillion, perMillion, perMillion)
  .map(([input, output, cachedInput, cacheWrite, cacheWrite1h, request]) => ({
    input,
    output,
    cachedInput,
    cacheWrite,
    cacheWrite1h,
    request,
    highestInput: [input, cachedInput, cacheWrite, cacheWrite1h].toSorted((a, b) => (a < b ? 1 : -1))[0] ?? input,
  }));
const tokens = fc.oneof(fc.nat(3), fc.nat(10_000), fc.nat(1_000_000_000));
const anyTier = fc.tuple(anyRates, tokens).map(([rates, above]) => ({ ...rates, aboveInputTokens: above + 1 }));
const anyTiers = fc
  .uniqueArray(anyTier, { maxLength: 3, selector: ({ aboveInputTokens }) => aboveInputTokens })
  .map((tiers) => tiers.toSorted((a, b) => a.aboveInputTokens - b.aboveInputTokens));
const anyPrice: fc.Arbitrary<Price> = fc
  .tuple(anyRates, anyTiers)
  .map(([rates, tiers]) => ({ ...rates, tiers, from: undefined }));

describe("chargeAmount", () => {
  it("prices each kind of token and rounds once", () => {
    expect(chargeAmount(price, usage(1_000_000, 1_000_000))).toBe(12_501_000_000n);
    expect(chargeAmount(price, usage(1_000_000, 0, 400_000, 100_000))).toBe(
      500_000_000n + 313_000_000n + 1_250_000_000n + 1_000_000n,
    );
  });

  it("prices one-hour cache writes by their own price, as reported or else as requested", () => {
    const kept = readPrice({ input: "1", output: "0", cacheWrite: "2", cacheWrite1h: "3" });
    const written = (details: object): Usage => ({
      ...usage(1_000, 0),
      prompt_tokens_details: { cache_write_tokens: 600, ...details },
    });
    expect(chargeAmount(kept, withHourWrites(written({ cache_write_1h_tokens: 100 })))).toBe(
      400_000n + 1_000_000n + 300_000n,
    );
    expect(chargeAmount(kept, withHourWrites(written({})))).toBe(400_000n + 1_800_000n);
    expect(chargeAmount(kept, written({}))).toBe(400_000n + 1_200_000n);
    expect(chargeAmount(kept, written({ cache_write_1h_tokens: 900 }))).toBe(400_000n + 1_800_000n);
  });

  it("rounds half a nano-unit up and less than half down", () => {
    const tiny = { ...free, input: 1n };
    expect(chargeAmount(tiny, usage(499_999, 0))).toBe(0n);
    expect(chargeAmount(tiny, usage(500_000, 0))).toBe(1n);
  });

  it("does not round each kind of token separately", () => {
    const tiny = { ...free, input: 1n, output: 1n };
    expect(chargeAmount(tiny, usage(250_000, 250_000))).toBe(1n);
    expect(chargeAmount(tiny, usage(500_000, 500_000))).toBe(1n);
  });

  it("never counts more cached and written tokens than the prompt has", () => {
    expect(chargeAmount(price, usage(10, 0, 1_000, 1_000))).toBe(chargeAmount(price, usage(10, 0, 10, 0)));
    expect(chargeAmount(price, usage(10, 0, 6, 1_000))).toBe(chargeAmount(price, usage(10, 0, 6, 4)));
  });

  it("is never more than the hold when the usage is within its bounds", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyPrice, tokens, tokens, fc.double({ min: 0, max: 1, noNaN: true }), tokens, tokens, (...given) => {
        const [any, promptBound, outputBound, share, cached, written] = given;
        const actual = usage(Math.floor(promptBound * share), Math.ceil(outputBound * share), cached, written);
        if (chargeAmount(any, actual) > holdAmount(any, promptBound, outputBound))
          throw new Error("charged above hold");
      }),
      { numRuns: runs(100_000) },
    );
  });

  it("differs from the exact cost by at most half a nano-unit", () => {
    fc.assert(
      fc.property(anyPrice, tokens, tokens, (any, prompt, completion) => {
        const rates = tierOf(any, prompt) ?? any;
        const exact = BigInt(prompt) * rates.input + BigInt(completion) * rates.output + rates.request * 1_000_000n;
        const error = chargeAmount(any, usage(prompt, completion)) * 1_000_000n - exact;
        expect(error).toBeGreaterThan(-500_000n);
        expect(error).toBeLessThanOrEqual(500_000n);
      }),
    );
  });
});

describe("tiers", () => {
  const tiered = readPrice({
    input: "1",
    output: "10",
    cachedInput: "0.1",
    request: "0.001",
    tiers: [
      { aboveInputTokens: 200, input: "2", output: "20", cachedInput: "0.2" },
      { aboveInputTokens: 500, input: "3", output: "5" },
    ],
  });

  it.each<[prompt: number, above: number | undefined]>([
    [0, undefined],
    [200, undefined],
    [201, 200],
    [500, 200],
    [501, 500],
  ])("apply above their number of prompt tokens: %d", (prompt, above) => {
    expect(tierOf(tiered, prompt)?.aboveInputTokens).toBe(above);
  });

  it("price the whole request, which cached tokens can bring into one", () => {
    expect(chargeAmount(tiered, usage(200, 1))).toBe(200_000n + 10_000n + 1_000_000n);
    expect(chargeAmount(tiered, usage(201, 1, 200))).toBe(2_000n + 40_000n + 20_000n + 1_000_000n);
    expect(chargeAmount(tiered, usage(501, 0, 1))).toBe(501n * 3_000n + 1_000_000n);
  });

  it("are held at the dearest one that the prompt can reach", () => {
    const held = (prompt: number) => holdAmount(tiered, prompt, 100) - 1_000_000n;
    expect(held(200)).toBe(200n * 1_000n + 100n * 10_000n);
    expect(held(201)).toBe(201n * 2_000n + 100n * 20_000n);
    // The output of the last tier is cheaper, and a shorter prompt is in the one before.
    expect(held(501)).toBe(501n * 2_000n + 100n * 20_000n);
    expect(held(3_000)).toBe(3_000n * 3_000n + 100n * 5_000n);
  });
});

describe("withHourWrites", () => {
  it.each([
    ["without details", usage(10, 0)],
    ["without cache writes", { ...usage(10, 0), prompt_tokens_details: { cached_tokens: 5 } }],
    [
      "that reports its one-hour writes",
      { ...usage(10, 0), prompt_tokens_details: { cache_write_tokens: 5, cache_write_1h_tokens: 0 } },
    ],
  ])("returns a usage %s as it is", (_, given) => expect(withHourWrites(given)).toBe(given));

  it("keeps the other counts", () => {
    expect(withHourWrites(usage(10, 2, 3, 4))).toEqual({
      ...usage(10, 2),
      prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 4, cache_write_1h_tokens: 4 },
    });
  });

  it("has nothing to do for a usage whose details are absent", () => {
    const { prompt_tokens_details: _, ...plain } = usage(10, 0);
    expect(withHourWrites(plain)).toBe(plain);
  });
});

describe("holdAmount", () => {
  it("counts every prompt token at the highest price, the output, and the request", () => {
    const any = { ...price, highestInput: 3_130_000_000n };
    expect(holdAmount(any, 1_000, 100)).toBe(3_130_000n + 1_000_000n + 1_000_000n);
  });

  it("is nothing at no price", () => {
    expect(worstCaseCost([], 1_000, 1_000)).toBe(0n);
  });

  it("rounds up", () => {
    expect(holdAmount({ ...free, output: 1n }, 0, 1)).toBe(1n);
    expect(holdAmount({ ...free, output: 1n }, 0, 0)).toBe(0n);
  });

  it("is 0 for a free model", () => {
    expect(holdAmount(free, 1_000_000, 1_000_000)).toBe(0n);
  });

  it("is the highest of several prices, which depends on the request", () => {
    const dearPrompt = readPrice({ input: "10", output: "1" });
    const dearOutput = readPrice({ input: "1", output: "10" });
    expect(worstCaseCost([dearPrompt, dearOutput], 1_000, 1)).toBe(holdAmount(dearPrompt, 1_000, 1));
    expect(worstCaseCost([dearPrompt, dearOutput], 1, 1_000)).toBe(holdAmount(dearOutput, 1, 1_000));
  });
});

describe("affordableOutput", () => {
  it("is the most that the available amount covers, and one more token exceeds it", () => {
    fc.assert(
      fc.property(
        anyPrice,
        fc.bigInt({ min: -(10n ** 6n), max: 10n ** 15n }),
        tokens,
        (any, available, promptBound) => {
          const most = affordableOutput(any, available, promptBound);
          if (most === Number.MAX_SAFE_INTEGER) return;
          if (most > 0) expect(holdAmount(any, promptBound, most)).toBeLessThanOrEqual(available);
          expect(holdAmount(any, promptBound, most + 1)).toBeGreaterThan(available);
        },
      ),
      { numRuns: runs(10_000) },
    );
  });

  it("is 0 when the balance is negative, even for a free model", () => {
    expect(affordableOutput(free, -1n, 0)).toBe(0);
    expect(affordableOutput(free, 0n, 0)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each<[what: string, output: bigint, available: bigint, tokens: number]>([
    ["nothing is left", 1_000_000n, 10n, 0],
    ["one token is left", 1_000_000n, 11n, 1],
    ["less than a token is left", 2_000_000n, 11n, 0],
    ["output is free", 0n, 10n, 2 ** 53 - 1],
    ["output is free and the prompt costs more", 0n, 9n, 0],
    ["more is left than can be counted", 1n, 2n ** 70n, 2 ** 53 - 1],
  ])("is exact when %s", (_, output, available, tokens) => {
    const any = { ...free, highestInput: 1_000_000n, output, request: 3n };
    expect(affordableOutput(any, available, 7)).toBe(tokens);
  });

  it("is not limited without a price", () => {
    expect(affordableOutputAtAll([], 0n, 0)).toBe(2 ** 53 - 1);
  });

  it("is the least over several prices", () => {
    const cheap = readPrice({ input: "1", output: "1" });
    const dear = readPrice({ input: "1", output: "4" });
    expect(affordableOutputAtAll([cheap, dear], 5_000_000n, 1_000)).toBe(1_000);
  });
});
