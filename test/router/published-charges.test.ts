import { type PriceList, parseAmount } from "@tollgate/core";
import { priceOf } from "@tollgate/prices";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

/** A price that a provider documents, and what a request costs by it. */
interface Case {
  /** The page of the provider. */
  readonly page: string;
  readonly price: PriceList;
  /** The provider and model under which @tollgate/prices has the same prices. */
  readonly known?: readonly [provider: string, model: string];
  readonly usage: {
    readonly prompt: number;
    readonly completion: number;
    readonly details?: object;
    readonly reasoning?: number;
  };
  readonly tier?: number;
  /** Calculated by hand. */
  readonly charge: string;
}

const gemini25Pro: PriceList = {
  input: "1.25",
  cachedInput: "0.125",
  output: "10",
  tiers: [{ aboveInputTokens: 200_000, input: "2.5", cachedInput: "0.25", output: "15" }],
};
const gpt54: PriceList = {
  input: "2.5",
  cachedInput: "0.25",
  output: "15",
  tiers: [{ aboveInputTokens: 272_000, input: "5", cachedInput: "0.5", output: "22.5" }],
};
const openai = "https://developers.openai.com/api/docs";
const anthropic = "https://platform.claude.com/docs/en/about-claude/pricing";
const google = "https://ai.google.dev/gemini-api/docs/pricing";

const cases: Readonly<Record<string, Case>> = {
  "Gemini 2.5 Pro, a prompt of 200,000 tokens, with thoughts as output": {
    page: google,
    price: gemini25Pro,
    known: ["google", "gemini-2.5-pro"],
    usage: { prompt: 200_000, completion: 8_000, reasoning: 6_000 },
    // 200,000 x 1.25 + 8,000 x 10
    charge: "0.33",
  },
  "Gemini 2.5 Pro, one token more, most of it cached": {
    page: google,
    price: gemini25Pro,
    known: ["google", "gemini-2.5-pro"],
    usage: { prompt: 200_001, completion: 8_000, details: { cached_tokens: 150_000 } },
    tier: 200_000,
    // 50,001 x 2.5 + 150,000 x 0.25 + 8,000 x 15
    charge: "0.2825025",
  },
  "Claude Sonnet 4.5 with a long context, in which cache reads and writes count (until 2026-04-30)": {
    page: `${anthropic}#long-context-pricing`,
    price: {
      input: "3",
      output: "15",
      cachedInput: "0.3",
      cacheWrite: "3.75",
      cacheWrite1h: "6",
      tiers: [
        {
          aboveInputTokens: 200_000,
          input: "6",
          output: "22.5",
          cachedInput: "0.6",
          cacheWrite: "7.5",
          cacheWrite1h: "12",
        },
      ],
    },
    known: ["anthropic", "claude-sonnet-4-5"],
    usage: { prompt: 250_000, completion: 1_000, details: { cached_tokens: 200_000, cache_write_tokens: 30_000 } },
    tier: 200_000,
    // 20,000 x 6 + 200,000 x 0.6 + 30,000 x 7.5 + 1,000 x 22.5
    charge: "0.4875",
  },
  "Claude Opus 4.5, cache writes of five minutes and of an hour": {
    page: `${anthropic}#model-pricing`,
    price: { input: "5", output: "25", cachedInput: "0.5", cacheWrite: "6.25", cacheWrite1h: "10" },
    known: ["anthropic", "claude-opus-4-5"],
    usage: {
      prompt: 12_345,
      completion: 678,
      details: { cached_tokens: 4_000, cache_write_tokens: 8_000, cache_write_1h_tokens: 5_000 },
    },
    // 345 x 5 + 4,000 x 0.5 + 3,000 x 6.25 + 5,000 x 10 + 678 x 25
    charge: "0.089425",
  },
  "Claude Haiku 4.5, a prompt that was cached but for one token": {
    page: `${anthropic}#model-pricing`,
    price: { input: "1", output: "5", cachedInput: "0.1", cacheWrite: "1.25", cacheWrite1h: "2" },
    known: ["anthropic", "claude-haiku-4-5"],
    usage: { prompt: 1_001, completion: 3, details: { cached_tokens: 1_000 } },
    // 1 x 1 + 1,000 x 0.1 + 3 x 5
    charge: "0.000116",
  },
  "GPT-5.4, a prompt of 272,000 tokens": {
    page: `${openai}/models/gpt-5.4`,
    price: gpt54,
    usage: { prompt: 272_000, completion: 2_000, details: { cached_tokens: 100_000 } },
    // 172,000 x 2.5 + 100,000 x 0.25 + 2,000 x 15
    charge: "0.485",
  },
  "GPT-5.4, one token more: twice the input and one and a half times the output": {
    page: `${openai}/models/gpt-5.4`,
    price: gpt54,
    usage: { prompt: 272_001, completion: 2_000, details: { cached_tokens: 100_000 } },
    tier: 272_000,
    // 172,001 x 5 + 100,000 x 0.5 + 2,000 x 22.5
    charge: "0.955005",
  },
  "GPT-5, reasoning tokens as output": {
    page: `${openai}/guides/reasoning`,
    price: { input: "1.25", cachedInput: "0.125", output: "10" },
    known: ["openai", "gpt-5"],
    usage: { prompt: 75, completion: 1_186, reasoning: 1_024 },
    // 75 x 1.25 + 1,186 x 10
    charge: "0.01195375",
  },
  "Sonar, a fee of 5 for 1,000 requests": {
    page: "https://docs.perplexity.ai/getting-started/pricing",
    price: { input: "1", output: "1", request: "0.005" },
    usage: { prompt: 8, completion: 439 },
    // 447 x 1, and 0.005
    charge: "0.005447",
  },
  "DeepSeek-V3.2, hits of the context cache": {
    page: "https://api-docs.deepseek.com/quick_start/pricing",
    price: { input: "0.28", cachedInput: "0.028", output: "0.42" },
    usage: { prompt: 10_000, completion: 1_000, details: { cached_tokens: 9_088 } },
    // 912 x 0.28 + 9,088 x 0.028 + 1,000 x 0.42
    charge: "0.000929824",
  },
};

const list = Object.entries(cases).map(([name, each]) => ({ name, ...each }));

describe("a charge by a published price is exact to the nano-unit", () => {
  it.each(list)("$name: $page", async ({ price, usage, tier, charge }) => {
    const reported = {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      total_tokens: usage.prompt + usage.completion,
      prompt_tokens_details: usage.details ?? {},
      completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    };
    const provider = scriptedProvider({ complete: async () => completionOf("Hi", reported) });
    const model = { id: "plain", maxOutputTokens: 10_000, price, targets: [{ provider, model: "upstream-model" }] };
    const { chat, key, balances } = gatewayUnderTest({ models: [model] });
    balances.credit({ id: "much", account: "acme", amount: "100", reason: "test" });
    const content = "x".repeat(2 * usage.prompt);
    const response = await chat(await key(), { messages: [{ role: "user", content }], max_tokens: 10_000 });
    expect(response.status).toBe(200);
    const entry = balances.entries({ account: "acme", limit: 10 }).entries.at(-1);
    expect(entry?.amount).toBe(-parseAmount(charge));
    expect(entry?.receipt?.charge?.basis).toBe("reported");
    expect(entry?.receipt?.charge?.tier).toBe(tier);
  });

  it.each(list.flatMap(({ name, known, price }) => (known === undefined ? [] : [{ name, known, price }])))(
    "and @tollgate/prices has it: $name",
    ({ known: [provider, model], price }) => {
      expect(priceOf(provider, model, new Date("2026-11-01T00:00:00Z"))).toEqual(price);
    },
  );
});
