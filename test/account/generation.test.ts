import { type GatewayOptions, memoryUsageStore } from "@tollgate/core";
import type { UsageStore } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";
import { read } from "./reading.ts";

const usage = {
  prompt_tokens: 9,
  completion_tokens: 5,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 3 },
};

/** A gateway whose answers have an id each. */
function answering(options: Partial<GatewayOptions> = {}): GatewayUnderTest {
  const tested = gatewayUnderTest(options);
  let answers = 0;
  tested.provider.script = {
    complete: async () => {
      answers += 1;
      return { ...completionOf("Hi", usage), id: `chatcmpl-${answers}` };
    },
  };
  return tested;
}

async function ask({ chat }: GatewayUnderTest, secret: string, headers: Record<string, string> = {}) {
  const response = await chat(secret, { user: "ann" }, { headers });
  const { id } = await response.json();
  return { answer: String(id), request: response.headers.get("x-request-id") ?? "" };
}

const show = (tested: Pick<GatewayUnderTest, "gateway">, secret: string, id: string) =>
  read(tested, secret, `/generation?id=${encodeURIComponent(id)}`);

/** A request that was answered, and the gateway that is asked for its receipt. */
async function answered(source: "this process" | "the usage store" | "the ledger") {
  const store = memoryUsageStore();
  const tested = answering(source === "the ledger" ? {} : { usage: { store } });
  const secret = await tested.key();
  const ids = await ask(tested, secret);
  if (source !== "the usage store") return { reader: tested, secret, ids };
  await tested.gateway.drain();
  return { reader: another(tested, store), secret, ids };
}

/** A gateway of another process on the same stores. */
function another({ keys, balances, key }: GatewayUnderTest, store: UsageStore) {
  return { ...gatewayUnderTest({ keys, balances, usage: { store } }), key };
}

describe("GET /generation", () => {
  // https://openrouter.ai/docs/api/api-reference/generations/get-generation. Cline reads `native_tokens_prompt`,
  // `native_tokens_cached`, `native_tokens_completion` and `total_cost` (src/core/api/providers/openrouter.ts), by the id of
  // the first chunk of a stream.
  it.each(["this process", "the usage store", "the ledger"] as const)(
    "shows a receipt from %s, by both ids",
    async (source) => {
      const { reader, secret, ids } = await answered(source);
      for (const id of [ids.answer, ids.request]) {
        const { status, body } = await show(reader, secret, id);
        expect([id, status]).toEqual([id, 200]);
        expect(body.data).toMatchObject({
          id,
          model: "plain",
          api_type: "completions",
          total_cost: 0.000019,
          usage: 0.000019,
          tokens_prompt: 9,
          tokens_completion: 5,
          native_tokens_prompt: 9,
          native_tokens_completion: 5,
          native_tokens_reasoning: 3,
          native_tokens_cached: 4,
          streamed: false,
          cancelled: false,
          is_byok: false,
          provider_name: null,
          upstream_id: null,
          finish_reason: null,
        });
        expect(body.receipt).toMatchObject({
          request_id: ids.request,
          answer_id: ids.answer,
          model: "plain",
          dialect: "chat",
          ending: "complete",
          tokens: { input: 9, cached_input: 4, cache_write_5m: 0, cache_write_1h: 0, output: 5, reasoning: 3 },
          estimated: false,
          cost: "0.000019",
          ...(source === "the ledger" ? { end_user: null, status: null } : { end_user: "ann", status: 200 }),
        });
        expect(JSON.stringify(body)).not.toMatch(/scripted|upstream-model/);
      }
    },
  );

  it("shows a stream by the id of its chunks as soon as it has ended", async () => {
    const tested = answering({ usage: { store: memoryUsageStore() } });
    tested.provider.script = { stream: () => chunksOf(["Hi"], usage) };
    const secret = await tested.key();
    const text = await (await tested.chat(secret, { stream: true })).text();
    const id = /"id":"([^"]+)"/.exec(text)?.[1] ?? "";
    const { status, body } = await show(tested, secret, id);
    expect([status, body.data.streamed, body.data.total_cost]).toEqual([200, true, 0.000019]);
    expect(body.data.generation_time).toBeGreaterThanOrEqual(body.data.latency);
  });

  it.each([true, false])("shows the newest of several requests with one id, recorded: %s", async (isRecorded) => {
    const store = memoryUsageStore();
    const tested = answering({ usage: { store } });
    const secret = await tested.key();
    const chosen = { "x-request-id": "chosen" };
    for (let request = 0; request < 3; request++) {
      await ask(tested, secret, chosen);
      // Requests of the same millisecond have no order.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    if (isRecorded) await tested.gateway.drain();
    const reader = isRecorded ? another(tested, store) : tested;
    expect((await show(reader, secret, "chosen")).body.receipt).toMatchObject({
      request_id: "chosen",
      answer_id: "chatcmpl-3",
    });
  });

  it("shows another key of the account, and no other account, its requests", async () => {
    for (const source of ["this process", "the usage store", "the ledger"] as const) {
      const { reader, ids } = await answered(source);
      const [own, other] = [await reader.key(), await reader.key({ account: "other" })];
      for (const id of [ids.answer, ids.request]) {
        expect((await show(reader, own, id)).status).toBe(200);
        const { status, body } = await show(reader, other, id);
        expect([status, body.error.code, body.error.type]).toEqual([404, "generation_not_found", "not_found_error"]);
      }
    }
  });

  it("shows a request that was refused, and what it cost: nothing", async () => {
    const tested = answering({ usage: { store: memoryUsageStore() } });
    const secret = await tested.key();
    const { request } = await ask(tested, secret);
    const response = await tested.chat(secret, { model: "unknown" });
    const { body } = await show(tested, secret, response.headers.get("x-request-id") ?? "");
    expect(body.receipt).toMatchObject({ status: 404, error_code: "model_not_found", answer_id: null, cost: "0" });
    expect(body.data).toMatchObject({ model: "", total_cost: 0 });
    expect((await show(tested, secret, request)).body.receipt.status).toBe(200);
  });

  it("sums up the expiry of a hold and its late settlement", async () => {
    const { balances, ...tested } = gatewayUnderTest();
    const secret = await tested.key();
    const id = crypto.randomUUID();
    const receipt = { requestId: `req_${id}`, model: "plain", dialect: "chat" } as const;
    const hold = { id, account: "acme", keyId: "key-1", amount: 500n, leaseMs: 0, terms: [], receipt, spend: {} };
    balances.hold({ ...hold, notices: undefined });
    balances.renew([{ id, account: "acme", used: 300n }], 0);
    balances.expire();
    const lost = await show(tested, secret, `req_${id}`);
    expect(lost.body.receipt).toMatchObject({ ending: "hold_expired", cost: "0.0000003", estimated: true });
    balances.settle({ id, account: "acme" }, 200n, {
      provider: "p",
      upstreamModel: "m",
      tokens: { input: 2, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 },
      basis: "reported",
      prices: { input: 1n, cachedInput: 1n, cacheWrite5m: 1n, cacheWrite1h: 1n, output: 1n, request: 0n },
      durationMs: 7,
      status: "complete",
      answerId: "chatcmpl-late",
    });
    for (const each of [`req_${id}`, "chatcmpl-late"]) {
      const { body } = await show(tested, secret, each);
      expect(body.receipt).toMatchObject({ ending: "complete", cost: "0.0000002", estimated: false, duration_ms: 7 });
    }
  });

  it.each(["", "a b", "x".repeat(513), "\0", "日本"])("refuses the id %j", async (id) => {
    const tested = gatewayUnderTest();
    const { status, body } = await show(tested, await tested.key(), id);
    expect([status, body.error.param]).toEqual([400, "id"]);
  });

  it("refuses a request without an id", async () => {
    const tested = gatewayUnderTest();
    expect((await read(tested, await tested.key(), "/generation")).status).toBe(400);
  });
});
