import { type GatewayOptions, type ModelConfig, memoryUsageStore } from "@tollgate/core";
import { type ProviderAdapter, ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { chargeReceipt } from "../../packages/core/test-support/receipts.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";
import { memoryStores, sceneGateway, setScene } from "./scene.ts";

const unknown = new ProviderError("credentials", "It does not have this model.", {
  status: 404,
  upstreamMessage: "The model `gone` does not exist.",
});

/** A management API of a gateway whose first target does not have the model, and a client of that gateway. */
async function failover(options: Partial<GatewayOptions> = {}) {
  const dead: ProviderAdapter = { ...scriptedProvider({ complete: () => Promise.reject(unknown) }), name: "dead" };
  const alive: ProviderAdapter = { ...scriptedProvider({ complete: async () => completionOf("Hi") }), name: "alive" };
  const model: ModelConfig = {
    id: "plain",
    maxOutputTokens: 100,
    price: { input: "1", output: "2" },
    targets: [
      { provider: dead, model: "gone", priority: 1 },
      { provider: alive, model: "up", priority: 2 },
    ],
  };
  const stores = memoryStores();
  const usage = memoryUsageStore();
  const gateway = sceneGateway(stores, { models: [model], usage: { store: usage }, ...options });
  stores.balances.credit({ id: "opening", account: "acme", amount: 10n ** 12n, reason: "test" });
  stores.terms.accept("acme", "terms-1");
  const { secret } = await stores.keys.create({ account: "acme", plan: "prepaid" });
  const scene = await setScene({ gateway, stores: { ...stores, usage, notices: stores.balances } });
  const chat = async () => {
    const response = await gateway.fetch(
      new Request("http://gateway.test/router/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hi" }] }),
      }),
    );
    return response.status;
  };
  return { scene, stores, usage, chat, drain: () => gateway.drain() };
}

describe("upstreams", () => {
  it("show a dead first target by its failed attempts, although it answers no request", async () => {
    const { scene, chat, drain } = await failover({ routing: { retries: 0 } });
    await using _ = scene;
    expect([await chat(), await chat()]).toEqual([200, 200]);
    await drain();
    const { json } = await scene.ask("GET", "/models/plain");
    expect(json).toMatchObject({
      requests_24h: 2,
      error_share_24h: 0,
      targets: [
        {
          provider: "dead",
          attempts_24h: 1,
          answered_24h: 0,
          failed_attempts_24h: { credentials: 1 },
          error_share_24h: 1,
        },
        // The breaker of the first one is open after its first failure.
        { provider: "alive", attempts_24h: 2, answered_24h: 2, failed_attempts_24h: {}, error_share_24h: 0 },
      ],
    });
  });

  it("show an open circuit breaker with its cause and since when", async () => {
    const { scene, chat } = await failover();
    await using _ = scene;
    expect(await scene.ask("GET", "/health")).toMatchObject({ json: { status: "ok", breakers: [] } });
    const before = new Date().toISOString();
    await chat();
    const { json } = await scene.ask("GET", "/health", { as: "viewer" });
    expect(json).toMatchObject({
      breakers: [
        {
          provider: "dead",
          upstream_model: "gone",
          state: "open",
          failure: "credentials",
          upstream_status: 404,
          upstream_message: "The model `gone` does not exist.",
        },
      ],
    });
    expect(Object(json).breakers[0].since >= before).toBe(true);
  });

  it("show targets that report an implausible usage, and the notices that wait", async () => {
    const usage = { prompt_tokens: 10 ** 9, completion_tokens: 1, total_tokens: 10 ** 9 + 1 };
    const provider = scriptedProvider({ complete: async () => completionOf("Hi", usage) });
    const targets = [{ provider, model: "up" }];
    const price = { input: "1", output: "2" };
    const { scene, stores, chat } = await failover({ models: [{ id: "plain", maxOutputTokens: 100, price, targets }] });
    await using _ = scene;
    await chat();
    expect(await scene.ask("GET", "/health")).toMatchObject({
      json: {
        implausible_usage: [{ provider: "scripted", upstream_model: "up", count: 1, last_at: expect.any(String) }],
        notices: { waiting: 0, oldest_at: null },
      },
    });
    const notices = { thresholds: [], lowBalance: 10n ** 15n };
    const hold = { id: "h", account: "acme", keyId: "k", amount: 2n, leaseMs: 60_000, terms: [], spend: {}, notices };
    stores.balances.hold({ ...hold, receipt: { requestId: "r", model: "plain", dialect: "chat" } });
    stores.balances.settle({ id: "h", account: "acme" }, 1n, chargeReceipt);
    expect(await scene.ask("GET", "/health")).toMatchObject({
      json: { notices: { waiting: 1, oldest_at: expect.any(String) } },
    });
  });

  it("show what the upstream of a failed request said, and find requests by any of their ids", async () => {
    const { scene, usage, chat, drain } = await failover();
    await using _ = scene;
    await chat();
    await drain();
    const { rows } = await usage.list({ limit: 1 });
    const [row] = rows;
    for (const id of [row?.id, row?.requestId, row?.answerId]) {
      const { json } = await scene.ask("GET", `/requests?any_id=${id}`);
      expect(Object(json).data).toMatchObject([{ id: row?.id, answer_id: "chatcmpl-upstream" }]);
    }
    expect(await scene.ask("GET", "/requests?any_id=none")).toMatchObject({ json: { data: [], next: null } });
    expect(await scene.ask("GET", "/requests?answer_id=chatcmpl-upstream")).toMatchObject({
      json: { data: [{ id: row?.id }] },
    });
    const { json } = await scene.ask("GET", `/requests/${row?.id}`, { as: "viewer" });
    expect(Object(json).timeline).toContainEqual({
      step: "attempt.failed",
      at: expect.any(Number),
      detail: "credentials",
      status: 404,
      message: "The model `gone` does not exist.",
    });
    expect(Object(json).attempts_by_target).toEqual([
      { provider: "dead", upstream_model: "gone", attempts: 1, failed: { credentials: 1 } },
      { provider: "alive", upstream_model: "up", attempts: 1, failed: {} },
    ]);
  });
});
