import { type GatewayOptions, memoryUsageStore } from "@tollgate/core";
import type { UsageRow } from "@tollgate/core/store";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { read } from "./reading.ts";

// A Wednesday.
const now = new Date("2026-03-11T10:00:00Z");

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
afterEach(() => void vi.useRealTimers());

/** A gateway whose calls cost 0.00002: 10 prompt tokens at 1 and 5 completion tokens at 2 per million. */
function answering(options: Partial<GatewayOptions> = {}) {
  const tested = gatewayUnderTest(options);
  tested.provider.script = { complete: async () => completionOf("Hi") };
  return tested;
}

const rowOf = (keyId: string, at: string, cost: bigint): UsageRow => ({
  id: crypto.randomUUID(),
  at: new Date(at),
  requestId: "r",
  account: "acme",
  keyId,
  plan: "prepaid",
  endpoint: "chat.completions",
  dialect: "chat",
  status: 200,
  ending: "complete",
  tokens: { input: 1, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 },
  estimated: false,
  cost,
  durationMs: 1,
  attempts: 1,
  tags: [],
  timeline: [],
});

describe("GET /key", () => {
  // The members of `data` that OpenRouter documents, with their types, as its SDK checks them:
  // https://openrouter.ai/docs/api/api-reference/api-keys/get-current-key, and `GetCurrentKeyData` of @openrouter/sdk.
  it("has every member that OpenRouter documents", async () => {
    const tested = answering({ usage: { store: memoryUsageStore() } });
    const { body } = await read(tested, await tested.key({ name: "CI" }), "/key");
    expect(body.data).toEqual({
      label: "CI",
      usage: 0,
      usage_daily: 0,
      usage_weekly: 0,
      usage_monthly: 0,
      byok_usage: 0,
      byok_usage_daily: 0,
      byok_usage_weekly: 0,
      byok_usage_monthly: 0,
      limit: null,
      limit_remaining: null,
      limit_reset: null,
      include_byok_in_limit: false,
      creator_user_id: null,
      expires_at: null,
      is_free_tier: false,
      is_management_key: false,
      is_provisioning_key: false,
      organization_id: null,
      workspace_id: null,
      allowed_data_regions: [],
      free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
      rate_limit: { requests: 1_000, interval: "60s", note: "Requests in each interval." },
    });
  });

  it("shows the spend limit of the key, what is left of it, and exactly what was used", async () => {
    const tested = answering();
    const spend = { limit: "0.001", window: "month", timezone: "Europe/Berlin" } as const;
    const secret = await tested.key({ spend });
    for (let call = 0; call < 2; call++) expect((await tested.chat(secret, { max_tokens: 5 })).status).toBe(200);
    const { body } = await read(tested, secret, "/key");
    expect(body.data).toMatchObject({
      usage: 0.00004,
      limit: 0.001,
      limit_remaining: 0.00096,
      limit_reset: "monthly",
    });
    expect(body.data.label).toMatch(/^….{4}$/);
    expect(body.key).toMatchObject({
      account: "acme",
      plan: "prepaid",
      billing: "prepaid",
      scopes: ["inference", "account:read"],
      models: ["plain", "thinker"],
      dialects: ["chat", "responses", "messages", "embeddings"],
      limits: { requests: { limit: 1_000, window_seconds: 60 }, tokens: null, concurrency: null },
      spend: [
        {
          scope: "key",
          limit: "0.001",
          window: "month",
          timezone: "Europe/Berlin",
          used: "0.00004",
          resets_at: "2026-03-31T22:00:00.000Z",
        },
      ],
      usage: { total: "0.00004", day: null, week: null, month: null },
    });
  });

  it("shows the limit of the account itself before that of its plan, and another key spends from it too", async () => {
    const plans = [{ id: "prepaid", billing: "prepaid", spend: { limit: "5", window: "day" } }] as const;
    const tested = answering({ plans });
    const [secret, other] = [await tested.key(), await tested.key()];
    const spendOf = async () => (await read(tested, secret, "/key")).body.key.spend;
    expect(await spendOf()).toMatchObject([{ scope: "account", limit: "5", used: "0" }]);
    tested.balances.limitSpend("acme", { limit: "7", window: "total" });
    await tested.chat(other);
    expect(await spendOf()).toEqual([
      { scope: "account", limit: "7", window: "total", timezone: "UTC", used: "0.00002", resets_at: null },
    ]);
    expect((await read(tested, secret, "/key")).body.data).toMatchObject({ usage: 0, limit: null });
  });

  it("sums the usage of the key since the start of the UTC day, of Monday and of the month", async () => {
    const store = memoryUsageStore();
    const tested = answering({ usage: { store } });
    const { secret, key } = await tested.keys.create({ account: "acme", plan: "prepaid" });
    await store.record([
      rowOf(key.id, "2026-03-11T09:59:59Z", 1n),
      rowOf(key.id, "2026-03-11T00:00:00Z", 10n),
      rowOf(key.id, "2026-03-10T23:59:59Z", 100n),
      rowOf(key.id, "2026-03-09T00:00:00Z", 1_000n),
      rowOf(key.id, "2026-03-08T23:59:59Z", 10_000n),
      rowOf(key.id, "2026-03-01T00:00:00Z", 100_000n),
      rowOf(key.id, "2026-02-28T23:59:59Z", 1_000_000n),
      rowOf("other", "2026-03-11T09:00:00Z", 10_000_000n),
    ]);
    const { body } = await read(tested, secret, "/key");
    expect(body.key.usage).toEqual({ total: "0", day: "0.000000011", week: "0.000001111", month: "0.000111111" });
    expect(body.data).toMatchObject({ usage_daily: 1.1e-8, usage_weekly: 1.111e-6, usage_monthly: 0.000111111 });
  });

  it("sums a week that began in the month before", async () => {
    vi.setSystemTime(new Date("2026-04-02T10:00:00Z"));
    const store = memoryUsageStore();
    const tested = answering({ usage: { store } });
    const { secret, key } = await tested.keys.create({ account: "acme", plan: "prepaid" });
    await store.record([rowOf(key.id, "2026-03-30T00:00:00Z", 5n), rowOf(key.id, "2026-04-01T00:00:00Z", 7n)]);
    const { body } = await read(tested, secret, "/key");
    expect(body.key.usage).toMatchObject({ day: "0", week: "0.000000012", month: "0.000000007" });
  });

  it("shows what the key and its plan allow together, and is a free tier before the first credit", async () => {
    const plans = [
      { id: "prepaid", billing: "prepaid", dialects: ["chat", "messages"], features: ["tools"], models: ["thinker"] },
      { id: "subscription", billing: "none" },
    ] as const;
    const tested = answering({ plans });
    const secret = await tested.key({ account: "new", dialects: ["chat", "embeddings"], scopes: ["account:read"] });
    const { body } = await read(tested, secret, "/key");
    expect(body.data).toMatchObject({
      is_free_tier: true,
      rate_limit: { requests: -1, interval: "60s", note: "This key has no limit of requests." },
    });
    expect(body.key).toMatchObject({
      scopes: ["account:read"],
      models: ["thinker"],
      dialects: ["chat"],
      features: ["tools"],
    });
    const subscribed = await read(tested, await tested.key({ account: "new", plan: "subscription" }), "/key");
    expect(subscribed.body).toMatchObject({ data: { is_free_tier: false }, key: { billing: "none", spend: [] } });
  });

  it("has null for the usage of periods that the gateway does not record", async () => {
    const tested = answering();
    const { status, body } = await read(tested, await tested.key(), "/key");
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ usage: 0, usage_daily: null, usage_weekly: null, usage_monthly: null }),
    ]);
  });
});
