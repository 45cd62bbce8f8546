import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { waitForUpdate } from "@pydantic/genai-prices";
import { formatAmount } from "@tollgate/core";
import { checkedPrices } from "@tollgate/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { periodsOf } from "./price-periods.ts";
import { priceDate, priceOf, pricesOf } from "./published-prices.ts";
import { perMillion, toPriceList } from "./to-price-list.ts";

const day = new Date("2026-11-01T00:00:00Z");

describe("priceOf", () => {
  it("returns exact decimal strings, with prices of caches", () => {
    expect(priceOf("anthropic", "claude-opus-4-5-20251101", day)).toEqual({
      input: "5",
      output: "25",
      cachedInput: "0.5",
      cacheWrite: "6.25",
      cacheWrite1h: "10",
    });
  });

  it("returns tiers, each with all prices", () => {
    expect(priceOf("google", "gemini-2.5-pro", day)).toEqual({
      input: "1.25",
      output: "10",
      cachedInput: "0.125",
      tiers: [{ aboveInputTokens: 200_000, input: "2.5", output: "15", cachedInput: "0.25" }],
    });
  });

  it("returns the price of a request, and no output of embeddings", () => {
    expect(priceOf("perplexity", "sonar", day)).toEqual({ input: "1", output: "1", request: "0.012" });
    expect(priceOf("openai", "text-embedding-3-small", day)).toEqual({ input: "0.02", output: "0" });
  });

  it("returns the prices of a time, and the highest of those that depend on the hour", () => {
    expect(priceOf("openai", "o3", new Date("2025-06-09T00:00:00Z")).input).toBe("10");
    expect(priceOf("openai", "o3", new Date("2025-06-10T00:00:00Z")).input).toBe("2");
    expect(priceOf("deepseek", "deepseek-chat", day)).toEqual({ input: "0.27", output: "1.1", cachedInput: "0.07" });
    expect(priceOf("deepseek", "deepseek-v4-pro", day).input).toBe("1.32");
  });

  it.each<[provider: string, model: string, message: string]>([
    [
      "anthropic",
      "claude-sonet-4-5",
      'No price of the model "claude-sonet-4-5" of "anthropic" is known. Did you mean "claude-sonnet-4-5"?',
    ],
    ["openai", "llama", 'No price of the model "llama" of "openai" is known. Give its price list yourself.'],
    ["acme", "gpt-5", 'No prices of the provider "acme" are known. Name it as @pydantic/genai-prices does'],
    ["openai", "whisper-1", 'The model "whisper-1" of "openai" has no published price per token.'],
  ])("throws for %s %s, and says what to do", (provider, model, message) => {
    expect(() => priceOf(provider, model)).toThrow(RangeError);
    expect(() => priceOf(provider, model)).toThrow(message);
    expect(() => pricesOf(provider, model)).toThrow(message);
  });
});

describe("pricesOf", () => {
  it("returns one list where no change is known", () => {
    expect(pricesOf("google", "gemini-2.5-pro")).toEqual(priceOf("google", "gemini-2.5-pro"));
  });

  it("returns each later list with its date", () => {
    expect(pricesOf("google", "gemini-3.8-flash")).toEqual([
      { input: "0.75", output: "3.75", cachedInput: "0.075" },
      { input: "1.5", output: "7.5", cachedInput: "0.15", from: new Date("2027-01-01T00:00:00Z") },
    ]);
  });
});

describe("the data", () => {
  it("is that of the date", () => {
    const entry = createRequire(import.meta.url).resolve("@pydantic/genai-prices");
    const { version } = JSON.parse(readFileSync(entry.replace("dist/index.cjs", "package.json"), "utf8"));
    // Change the date together with the version: `npm view @pydantic/genai-prices time`.
    expect([version, priceDate]).toEqual(["0.1.8", "2026-09-23"]);
  });

  it("gives price lists that a gateway accepts", async () => {
    let lists = 0;
    for (const { models } of (await waitForUpdate()) ?? []) {
      for (const model of models) {
        for (const { prices } of periodsOf(model.prices)) {
          const list = toPriceList(prices);
          if (list === undefined) continue;
          expect(checkedPrices(list, model.id)).toEqual(list);
          lists += 1;
        }
      }
    }
    expect(lists).toBeGreaterThan(1_000);
  });

  it("has numbers whose decimals are restored exactly", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 4_000_000_000_000_000n }), (nano) => {
        expect(perMillion(Number(formatAmount(nano)))).toBe(formatAmount(nano));
      }),
    );
    expect(perMillion(0.18000000000000002)).toBe("0.18");
  });
});
