import type { SpendLimit } from "@tollgate/core/store";
import { expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";

const spend = { limit: "0.002", window: "day", timezone: "Asia/Tokyo" } as const;

/** The prices are 1 and 2 per million tokens, so 0.002 pays for somewhat less than 1,000 output tokens. */
function limitedGateway(): GatewayUnderTest {
  const tested = gatewayUnderTest({ plans: [{ id: "prepaid", billing: "prepaid", spend }] });
  tested.provider.script = { complete: async () => completionOf("Hi") };
  return tested;
}

it("a request above the plan's limit is 402 with the limit and its reset", async () => {
  const tested = limitedGateway();
  const response = await tested.chat(await tested.key(), { max_tokens: 1_000 });
  const { error } = await response.json();
  expect(response.status).toBe(402);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(error).toMatchObject({
    code: "spend_limit_reached",
    type: "spend_limit_reached",
    metadata: { remaining: "0.002", scope: "account", limit: "0.002", window: "day" },
  });
  expect(Number(error.metadata.requested)).toBeGreaterThan(0.002);
  // Midnight in Tokyo.
  expect(error.metadata.resets_at).toMatch(/T15:00:00.000Z$/);
  expect(tested.provider.calls).toHaveLength(0);
});

it("without a cap of the client, the output shrinks to what the limit leaves", async () => {
  const tested = limitedGateway();
  const response = await tested.chat(await tested.key());
  expect(response.status).toBe(200);
  const cap = Number(response.headers.get("x-router-output-limit"));
  expect(cap).toBeGreaterThan(900);
  expect(cap).toBeLessThan(1_000);
});

it("a limit of models refuses only their requests, and names them", async () => {
  const tested = gatewayUnderTest();
  tested.provider.script = { complete: async () => completionOf("Hi") };
  const models = ["think*", "other"];
  const secret = await tested.key({ spend: { limit: "0.001", window: "day", models } });
  expect((await tested.chat(secret, { max_tokens: 1_000 })).status).toBe(200);
  const refused = await tested.chat(secret, { model: "thinker", max_tokens: 1_000 });
  const { error } = await refused.json();
  expect([refused.status, error.metadata]).toEqual([
    402,
    expect.objectContaining({ scope: "key", models, remaining: "0.001" }),
  ]);
  expect(error.message).toContain("but the spend limit of this key for think*, other leaves 0.001 for today.");
  expect((await tested.chat(secret, { model: "thinker", max_tokens: 100 })).status).toBe(200);
});

it("what was charged counts, and the account's own limit overrides the plan's", async () => {
  const tested = limitedGateway();
  const secret = await tested.key();
  const limit: SpendLimit = { limit: 20_000n, window: "total" };
  tested.balances.limitSpend("acme", { ...limit, limit: 10_000_000n });
  expect((await tested.chat(secret, { max_tokens: 1_000 })).status).toBe(200);
  expect(tested.balances.spendOf([{ scope: "account", id: "acme", limit }])).toEqual([{ limit, spent: 20_000n }]);
  tested.balances.limitSpend("acme", limit);
  const refused = await tested.chat(secret);
  expect(refused.status).toBe(402);
  expect((await refused.json()).error.metadata).toMatchObject({ remaining: "0", window: "total", resets_at: null });
});
