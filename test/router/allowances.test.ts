import { expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";

/** The prices are 1 and 2 per million tokens, so the allowance pays for somewhat less than 1,000 output tokens. */
const allowance = { amount: "0.002", window: "month", timezone: "Asia/Tokyo" } as const;

function gatewayWithAllowance(): GatewayUnderTest {
  const tested = gatewayUnderTest({ plans: [{ id: "prepaid", billing: "prepaid", allowance }] });
  const usage = { prompt_tokens: 100, completion_tokens: 900 };
  tested.provider.script = { complete: async () => ({ ...completionOf("Hi"), usage }) };
  return tested;
}

const countTokens = (tested: GatewayUnderTest, secret: string) =>
  tested.gateway.fetch(
    new Request("http://gateway.test/router/v1/messages/count_tokens", {
      method: "POST",
      headers: { "x-api-key": secret, "content-type": "application/json" },
      body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] }),
    }),
  );

it("an account without a credit calls models with its allowance until that is used", async () => {
  const tested = gatewayWithAllowance();
  const secret = await tested.key({ account: "newcomer" });
  expect((await tested.models(secret)).status).toBe(200);
  expect((await countTokens(tested, secret)).status).toBe(200);
  expect((await tested.chat(secret)).status).toBe(200);
  expect(tested.balances.balance("newcomer")).toMatchObject({ posted: 100_000n, totals: { used: 1_900_000n } });
  const [grant, charge] = tested.balances.entries({ account: "newcomer", limit: 9 }).entries;
  expect(grant).toMatchObject({ kind: "credit", amount: 2_000_000n, reason: "allowance" });
  // The month of Tokyo, which is 9 hours ahead of UTC.
  expect(grant?.lots?.[0]?.expiresAt?.toISOString()).toMatch(/T15:00:00.000Z$/);
  expect(charge?.lots).toMatchObject([{ lot: grant?.reference, kind: "granted", amount: 1_900_000n }]);
  const refused = await tested.chat(secret, { max_tokens: 500 });
  expect(refused.status).toBe(402);
  expect((await refused.json()).error).toMatchObject({ metadata: { available: "0.0001" } });
});

it("an account whose allowance is used and whose balance is negative may not list models", async () => {
  const tested = gatewayWithAllowance();
  const secret = await tested.key({ account: "debtor" });
  tested.balances.debit({ id: "debt", account: "debtor", amount: "0.002", reason: "correction" });
  expect((await tested.models(secret)).status).toBe(402);
  expect((await countTokens(tested, secret)).status).toBe(402);
  tested.balances.credit({ id: "payment", account: "debtor", amount: 1n, reason: "top-up" });
  expect((await tested.models(secret)).status).toBe(200);
});

it("every account has an allowance of its own, which two of its keys share", async () => {
  const tested = gatewayWithAllowance();
  const chat = async (account: string) => (await tested.chat(await tested.key({ account }))).status;
  expect([await chat("one"), await chat("other")]).toEqual([200, 200]);
  expect([await chat("one"), await chat("other")]).toEqual([402, 402]);
});
