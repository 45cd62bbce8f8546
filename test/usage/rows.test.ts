import { createGateway, memoryBalanceStore, memoryKeyStore, memoryUsageStore } from "@tollgate/core";
import { ProviderError } from "@tollgate/core/provider";
import type { KeyStore, UsageRow } from "@tollgate/core/store";
import { afterEach, describe, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { allEvents } from "../support/read-stream.ts";
import { chunksOf, completionOf, scriptedProvider } from "../support/scripted-provider.ts";

const usage = {
  prompt_tokens: 9,
  completion_tokens: 5,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
const tokens = { input: 9, cachedInput: 4, cacheWrite5m: 2, cacheWrite1h: 0, output: 5, reasoning: 3 };

/** A gateway that records usage and has no observer. Its first target fails; its key has tags. */
async function scene() {
  const [broken, working] = [scriptedProvider(), scriptedProvider()];
  const busy = new ProviderError("overloaded", "busy", { status: 503, upstreamMessage: "The engine is overloaded." });
  broken.script = {
    complete: () => Promise.reject(busy),
    stream: () => {
      throw busy;
    },
  };
  working.script = { complete: async () => completionOf("Hi", usage), stream: () => chunksOf(["Hi"], usage) };
  const store = memoryUsageStore();
  const balances = memoryBalanceStore();
  balances.credit({ id: "opening", account: "acme", amount: 1_000_000_000n, reason: "test" });
  const stored = memoryKeyStore();
  const { secret, key } = await stored.create({ account: "acme", plan: "prepaid" });
  const keys: KeyStore = {
    find: async (presented) => {
      const found = await stored.find(presented);
      return found && { ...found, tags: ["red", "blue"] };
    },
    get: (keyId) => stored.get(keyId),
    onChange: stored.onChange,
  };
  const target = { price: { input: "1", output: "2" }, cost: { input: "0.5", output: "1", request: "0.001" } };
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid", models: ["plain", "costly"] }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 100,
        price: "free",
        targets: [
          { provider: broken, model: "first", ...target },
          { provider: working, model: "second", ...target },
        ],
      },
      {
        id: "costly",
        maxOutputTokens: 1e6,
        price: { input: "1", output: "9000" },
        targets: [{ provider: working, model: "x" }],
      },
    ],
    routing: { retries: 0 },
    usage: { store },
  });
  const ask = async (body: object, presented = secret) => {
    const response = await gateway.fetch(
      new Request("http://gateway.test/router/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${presented}`, "x-request-id": "chosen" },
        body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "A secret question" }], ...body }),
      }),
    );
    await response.text();
    return response.status;
  };
  const rows = async () => {
    await gateway.drain();
    return (await store.list({ limit: 100 })).rows;
  };
  return { ask, rows, gateway, secret, key };
}

const stepsOf = (row: UsageRow | undefined) =>
  row?.timeline.map(({ step, detail }) => (detail === undefined ? step : `${step} ${detail}`));

describe("the usage row of a completion", () => {
  it.each([false, true])("says who asked, what it cost and how it went, stream %s", async (stream) => {
    const { ask, rows, key } = await scene();
    expect(await ask({ stream, user: "older", safety_identifier: "user-1" })).toBe(200);
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: expect.any(Date),
      requestId: "chosen",
      account: "acme",
      keyId: key.id,
      plan: "prepaid",
      endpoint: "chat.completions",
      dialect: "chat",
      model: "plain",
      target: { provider: "scripted", upstreamModel: "second" },
      status: 200,
      ending: "complete",
      tokens,
      estimated: false,
      cost: 19_000n,
      // 9 tokens at 0.50 and 5 at 1.00 per million, and 0.001 for the request.
      upstreamCost: 1_009_500n,
      holdId: expect.any(String),
      durationMs: expect.any(Number),
      attempts: 2,
      attemptsByTarget: [
        { provider: "scripted", upstreamModel: "first", attempts: 1, failed: { overloaded: 1 } },
        { provider: "scripted", upstreamModel: "second", attempts: 1, failed: {} },
      ],
      answerId: "chatcmpl-upstream",
      endUser: "user-1",
      tags: ["red", "blue"],
      timeline: expect.any(Array),
      ...(stream ? { firstContentMs: expect.any(Number) } : {}),
    });
    const called = [
      "admitted",
      "held",
      "attempt scripted/first",
      "attempt.failed overloaded",
      "attempt scripted/second",
    ];
    expect(stepsOf(row)).toEqual([
      ...called,
      ...(stream ? ["first_content", "answered", "settled"] : ["settled", "answered"]),
    ]);
    expect(JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      "secret",
    );
  });

  it("has the model and the error of a request that was refused", async () => {
    const { ask, rows } = await scene();
    expect(await ask({ model: "costly", max_tokens: 1_000_000, user: "user-2" })).toBe(402);
    expect(await ask({ model: "unknown" })).toBe(404);
    const found = [...(await rows())].sort((a, b) => a.status - b.status);
    expect(found).toMatchObject([
      {
        status: 402,
        errorCode: "insufficient_balance",
        model: "costly",
        endUser: "user-2",
        ending: "refused",
        cost: 0n,
      },
      { status: 404, errorCode: "model_not_found", attempts: 0 },
    ]);
    expect(found[0]).not.toHaveProperty("target");
    expect(found[1]).not.toHaveProperty("model");
    expect(found.map(stepsOf)).toEqual([
      ["admitted", "answered"],
      ["admitted", "answered"],
    ]);
  });

  it("does not exist for an unknown key and for endpoints that call no model", async () => {
    const { ask, rows, gateway, secret } = await scene();
    expect(await ask({}, "sk-unknown")).toBe(401);
    const headers = { authorization: `Bearer ${secret}` };
    expect((await gateway.fetch(new Request("http://gateway.test/router/v1/models", { headers }))).status).toBe(200);
    expect(await rows()).toEqual([]);
  });
});

describe("the usage row of a turn", () => {
  let under: AssistantUnderTest | undefined;
  afterEach(() => under?.close());

  it.each([false, true])("has the sums of its calls, its session and its webhooks, stream %s", async (stream) => {
    const store = memoryUsageStore();
    under = await assistantUnderTest({ gateway: { usage: { store } } });
    under.think((_request, call) =>
      call === 1 ? { content: "Let me look. ", calls: [["find_order", { number: 1 }]] } : { content: "Found." },
    );
    const session = await under.session({ customer: "Ann" });
    const response = await under.say(session, { stream });
    if (stream) await allEvents(response);
    else await response.text();
    await under.gateway.drain();
    const { rows } = await store.list({ limit: 100 });
    const charged = under.balances
      .entries({ account: "acme", limit: 10 })
      .entries.filter(({ kind }) => kind === "charge");
    expect(rows).toMatchObject([
      {
        endpoint: "sessions.messages.create",
        sessionId: session,
        model: "plain",
        attempts: 2,
        tokens: { input: 20, output: 10 },
        cost: -charged.reduce((sum, { amount }) => sum + amount, 0n),
      },
    ]);
    expect(rows[0]).not.toHaveProperty("upstreamCost");
    expect(stepsOf(rows[0])).toEqual(expect.arrayContaining(["webhook find_order", "attempt scripted/upstream-model"]));
  });
});
