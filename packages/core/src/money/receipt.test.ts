import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ModelTarget } from "../ports/model.ts";
import { type Charged, chargeReceipt, noUsage, unitPrices } from "./cost.ts";

beforeEach(() => void vi.useFakeTimers({ now: 10_000 }));
afterEach(() => void vi.useRealTimers());

const price = {
  input: 1n,
  output: 2n,
  cachedInput: 3n,
  cacheWrite: 4n,
  cacheWrite1h: 5n,
  request: 6n,
  highestInput: 5n,
  tiers: [],
  from: undefined,
};
const prices = { input: 1n, output: 2n, cachedInput: 3n, cacheWrite5m: 4n, cacheWrite1h: 5n, request: 6n };
const provider: Pick<ModelTarget["provider"], "name"> = { name: "provider-1" };

const chargedAt = (startedAt: number): Charged => ({
  target: { provider: provider as ModelTarget["provider"], upstreamModel: "upstream-1", price },
  usage: { prompt_tokens: 7, completion_tokens: 8, total_tokens: 15, prompt_tokens_details: { cached_tokens: 2 } },
  basis: "estimated",
  tier: undefined,
  startedAt,
  status: "complete",
});

it("names the target, the counts, the prices and the duration of a charge", () => {
  expect(chargeReceipt(chargedAt(9_400))).toEqual({
    provider: "provider-1",
    upstreamModel: "upstream-1",
    tokens: { input: 7, cachedInput: 2, cacheWrite5m: 0, cacheWrite1h: 0, output: 8, reasoning: 0 },
    basis: "estimated",
    prices,
    durationMs: 600,
    status: "complete",
  });
});

it("has the prices of the tier that was charged, and names it", () => {
  const tier = { ...price, aboveInputTokens: 200_000, input: 10n };
  expect(chargeReceipt({ ...chargedAt(0), tier })).toMatchObject({ tier: 200_000, prices: { ...prices, input: 10n } });
});

it("has no negative duration when the clock was set back", () => {
  expect(chargeReceipt(chargedAt(11_000)).durationMs).toBe(0);
});

it("has the unit prices of a price list, without the highest one", () => {
  expect(unitPrices(price)).toEqual(prices);
  // All receipts share them, so nobody may change them.
  expect(Object.isFrozen(unitPrices(price))).toBe(true);
});

it("counts nothing for no usage", () => {
  expect(noUsage).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });
});
