import { type GatewayOptions, memoryBalanceStore } from "@tollgate/core";
import { expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

const price = { input: "1", output: "2" };
const small = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A gateway whose model has 64,000 output tokens, and whose provider answers with 15 tokens. */
function generousGateway(options: Partial<GatewayOptions> = {}) {
  const provider = scriptedProvider({ complete: async () => completionOf("Hi", small) });
  const targets = [{ provider, model: "up" }];
  const models = [{ id: "plain", maxOutputTokens: 64_000, price, targets } as const];
  return { ...gatewayUnderTest({ models, ...options }), provider };
}

it("requests without a cap reserve an estimate of the token window, and not all of it", async () => {
  const tested = generousGateway();
  const secret = await tested.key({ limits: { tokens: { limit: 60_000, windowSeconds: 60 } } });
  const answers = await Promise.all(Array.from({ length: 14 }, () => tested.chat(secret)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 14 }, () => 200));
  // 14 times 4,096 and the prompts leave less than that while they run; each has used 15 tokens.
  expect((await tested.chat(secret)).status).toBe(200);
});

it("a request reserves its own cap if that is lower, and `reserveOutputTokens` otherwise", async () => {
  const tested = generousGateway({ money: { reserveOutputTokens: 1_000 } });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  tested.provider.script = { complete: () => released.then(() => completionOf("Hi", small)) };
  const secret = await tested.key({ limits: { tokens: { limit: 1_350, windowSeconds: 60 } } });
  const running = [tested.chat(secret), tested.chat(secret, { max_tokens: 200 })];
  await expect.poll(() => tested.provider.calls.length).toBe(2);
  expect((await tested.chat(secret, { max_tokens: 200 })).status).toBe(429);
  release();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await tested.chat(secret, { max_tokens: 200 })).status).toBe(200);
});

it("what a request uses beyond its reservation is refused to the next ones", async () => {
  const tested = generousGateway();
  const usage = { prompt_tokens: 10, completion_tokens: 30_000, total_tokens: 30_010 };
  tested.provider.script = { complete: async () => completionOf("Hi", usage) };
  const secret = await tested.key({ limits: { tokens: { limit: 10_000, windowSeconds: 60 } } });
  expect((await tested.chat(secret)).status).toBe(200);
  const refused = await tested.chat(secret);
  expect(refused.status).toBe(429);
  // This window and the two that pay off what exceeds it.
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(120);
});

it("a rotated key goes on with the spend limit of the first key, even one of the window `total`", async () => {
  const tested = generousGateway();
  tested.provider.script = {
    complete: async () => completionOf("Hi", { prompt_tokens: 0, completion_tokens: 4_900, total_tokens: 4_900 }),
  };
  const { key, secret } = await tested.keys.create({
    account: "acme",
    plan: "prepaid",
    spend: { limit: 10_000_000n, window: "total" },
  });
  expect((await tested.chat(secret, { max_tokens: 4_900 })).status).toBe(200);
  const second = await tested.keys.rotate(key.id, { graceMs: 60_000 });
  const third = await tested.keys.rotate(second?.key.id ?? "", { graceMs: 60_000 });
  const refused = await tested.chat(third?.secret ?? "", { max_tokens: 4_900 });
  expect([refused.status, (await refused.json()).error.code]).toEqual([402, "spend_limit_reached"]);
  await tested.keys.update(third?.key.id ?? "", { spend: { limit: 30_000_000n, window: "total" } });
  expect((await tested.chat(third?.secret ?? "", { max_tokens: 4_900 })).status).toBe(200);
});

it("a rotated key goes on with the windows of the first key", async () => {
  const tested = generousGateway();
  const limits = { requests: { limit: 2, windowSeconds: 600 }, tokens: { limit: 5_000, windowSeconds: 600 } };
  const { key, secret } = await tested.keys.create({ account: "acme", plan: "prepaid", limits });
  tested.provider.script = {
    complete: async () => completionOf("Hi", { prompt_tokens: 10, completion_tokens: 4_000, total_tokens: 4_010 }),
  };
  expect((await tested.chat(secret, { max_tokens: 4_000 })).status).toBe(200);
  const next = await tested.keys.rotate(key.id, { graceMs: 60_000 });
  const [byTokens, byRequests] = [
    await tested.chat(next?.secret ?? "", { max_tokens: 4_000 }),
    await tested.chat(secret, { max_tokens: 10 }),
  ];
  expect([(await byTokens.json()).error.metadata.limit, (await byRequests.json()).error.metadata.limit]).toEqual([
    "tokens",
    "requests",
  ]);
});

it("notices count what was charged: none for a request without a cap that costs little", async () => {
  const balances = memoryBalanceStore();
  const spend = { limit: "10", window: "day" } as const;
  const tested = generousGateway({
    balances,
    plans: [{ id: "prepaid", billing: "prepaid", spend }],
    notices: { outbox: balances, lowBalance: "1" },
  });
  balances.credit({ id: "opening", account: "acme", amount: 5_000_000_000n, reason: "test" });
  const usage = (output: number) => ({ prompt_tokens: 0, completion_tokens: output, total_tokens: output });
  tested.provider.script = { complete: async () => completionOf("Hi", usage(2_500)) };
  const secret = await tested.key();
  expect((await tested.chat(secret)).status).toBe(200);
  expect(balances.claimNotices({ limit: 10, leaseMs: 1 })).toEqual([]);
  balances.debit({ id: "correction", account: "acme", amount: 4_249_000_000n, reason: "test" });
  expect(balances.claimNotices({ limit: 10, leaseMs: 60_000 })).toMatchObject([
    { type: "balance.low", posted: 746_000_000n, below: 1_000_000_000n },
  ]);
  tested.provider.script = { complete: async () => completionOf("Hi", usage(500)) };
  expect((await tested.chat(secret)).status).toBe(200);
  expect(balances.claimNotices({ limit: 10, leaseMs: 1 })).toEqual([]);
});
