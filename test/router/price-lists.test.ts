import type { PriceList, Prices } from "@tollgate/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isChargedEnd } from "../support/end-events.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

afterEach(() => void vi.useRealTimers());

/** Prices of 1 and 2 nano-units a token, and ten times as much above 1,000 tokens. */
const tiered: PriceList = {
  input: "0.001",
  output: "0.002",
  tiers: [{ aboveInputTokens: 1_000, input: "0.01", output: "0.02" }],
};

function priced(price: Prices, cost?: Prices) {
  const provider = scriptedProvider({ complete: async () => completionOf("Hi") });
  const target = { provider, model: "upstream-model", ...(cost === undefined ? {} : { cost }) };
  const model = { id: "plain", maxOutputTokens: 1_000, contextWindow: 100_000, price, targets: [target] };
  const tested = gatewayUnderTest({ models: [model] });
  const lastCharge = () => tested.balances.entries({ account: "acme", limit: 10 }).entries.at(-1);
  return { ...tested, provider, lastCharge };
}

const usageOf = (prompt_tokens: number, completion_tokens: number, cached_tokens = 0) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
  prompt_tokens_details: { cached_tokens },
});

/** A request whose prompt can have up to 1,000 tokens and more. */
const long = { messages: [{ role: "user", content: "x".repeat(2_100) }], max_tokens: 100 };
const short = { max_tokens: 100 };

describe("price tiers", () => {
  it.each<[what: string, usage: object, charge: bigint, tier: number | undefined]>([
    ["at the border", usageOf(1_000, 10), 1_020n, undefined],
    ["above it", usageOf(1_001, 10), 10_210n, 1_000],
    ["above it, mostly from a cache", usageOf(1_001, 10, 1_000), 10_210n, 1_000],
  ])("charge the whole request by its prompt tokens: %s", async (_, usage, charge, tier) => {
    const { chat, key, provider, lastCharge } = priced(tiered);
    provider.script = { complete: async () => completionOf("Hi", usage) };
    expect((await chat(await key(), long)).status).toBe(200);
    const entry = lastCharge();
    expect(entry?.amount).toBe(-charge);
    expect(entry?.receipt?.charge).toMatchObject({
      tier,
      prices: tier === undefined ? { input: 1_000_000n } : { input: 10_000_000n },
    });
  });

  it("hold the dearest tier that the prompt can reach", async () => {
    const { chat, key, provider, balances } = priced(tiered);
    const held: bigint[] = [];
    provider.script = {
      complete: async () => {
        held.push(balances.balance("acme").held);
        return completionOf("Hi");
      },
    };
    await chat(await key(), short);
    await chat(await key(), long);
    const [ofShort = 0n, ofLong = 0n] = held;
    expect(ofShort).toBeLessThan(1_000n + 200n);
    expect(ofLong).toBeGreaterThan(10n * 1_000n + 20n * 100n);
  });

  it("lower the cap of the output when the balance does not cover that tier", async () => {
    const { chat, key, provider, balances } = priced(tiered);
    balances.credit({ id: "little", account: "poor", amount: 20_000n, reason: "test" });
    const { max_tokens: _, ...uncapped } = long;
    const response = await chat(await key({ account: "poor" }), uncapped);
    expect(response.status).toBe(200);
    const cap = Number(response.headers.get("x-router-output-limit"));
    expect(cap).toBeGreaterThan(255);
    expect(BigInt(cap) * 20n).toBeLessThan(20_000n - 10n * 1_000n);
    expect(provider.calls[0]?.request).toMatchObject({ max_completion_tokens: cap });
  });

  it("give the upstream cost by tiers of its own", async () => {
    const cost = { ...tiered, tiers: [{ aboveInputTokens: 500, input: "0.003", output: "0.004" }] };
    const { chat, key, provider, events } = priced(tiered, cost);
    provider.script = { complete: async () => completionOf("Hi", usageOf(501, 10)) };
    await chat(await key(), long);
    expect(events.find(isChargedEnd)).toMatchObject({ cost: 521n, upstreamCost: 1_543n });
  });
});

describe("price lists with dates", () => {
  const from = new Date("2127-01-01T00:00:00Z");
  const dated: Prices = [
    { input: "0.001", output: "0.002" },
    { ...tiered, input: "0.005", from },
  ];

  it("change the price at their date", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: from.getTime() - 1 });
    const { chat, key, lastCharge } = priced(dated);
    await chat(await key(), short);
    expect(lastCharge()?.amount).toBe(-20n);
    vi.setSystemTime(from);
    await chat(await key(), short);
    expect(lastCharge()?.amount).toBe(-60n);
  });

  it("are chosen once, when the request starts", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: from.getTime() - 1 });
    const { chat, key, provider, lastCharge } = priced(dated, dated);
    const secret = await key();
    provider.script = {
      complete: async () => {
        vi.setSystemTime(from.getTime() + 60_000);
        return completionOf("Hi");
      },
    };
    await chat(secret, short);
    expect(lastCharge()).toMatchObject({ amount: -20n, receipt: { charge: { prices: { input: 1_000_000n } } } });
  });

  it("are shown with those that follow", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: from.getTime() - 1 });
    const { gateway } = priced(dated);
    const shown = () => gateway.inspect().models[0]?.targets[0]?.price;
    expect(shown()).toMatchObject({
      input: 1_000_000n,
      later: [{ input: 5_000_000n, from, tiers: [{ aboveInputTokens: 1_000, input: 10_000_000n }] }],
    });
    expect(shown()).not.toHaveProperty("from");
    vi.setSystemTime(from);
    expect(shown()).toMatchObject({ input: 5_000_000n, from, tiers: [{ output: 20_000_000n }] });
    expect(shown()).not.toHaveProperty("later");
  });
});
