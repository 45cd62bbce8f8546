import { type ChatCompletionChunk, ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { isChargedEnd } from "../support/end-events.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { allEvents, eventsOf } from "../support/read-stream.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";

const opening = 1_000_000_000n;
/** The prices of the tested models in nano-units per token: 1 and 2 per million tokens. */
const inputNano = 1_000n;
const outputNano = 2_000n;

const charged = ({ balances }: GatewayUnderTest): bigint => opening - balances.balance("acme").posted;
const completed = ({ events }: GatewayUnderTest) => events.find(isChargedEnd);
const content = (text: string): ChatCompletionChunk => ({ choices: [{ index: 0, delta: { content: text } }] });
const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

describe("a request is charged", () => {
  it("by the provider's usage at a normal end, and its hold is settled before the answer ends", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = { complete: async () => completionOf("Hi"), stream: () => chunksOf(["a", "b"]) };
    await tested.chat(await tested.key());
    expect(charged(tested)).toBe(10n * inputNano + 5n * outputNano);
    const events = eventsOf(await tested.chat(await tested.key(), { stream: true }));
    for await (const event of events) if (event === "[DONE]") break;
    expect(charged(tested)).toBe(20n * inputNano + 7n * outputNano);
    expect(tested.balances.balance("acme").held).toBe(0n);
    expect(tested.balances.verify()).toEqual([]);
  });

  it("by an estimate, at most the hold, if the usage is missing or invalid", async () => {
    for (const usage of [
      undefined,
      { prompt_tokens: -5, completion_tokens: 1 },
      { prompt_tokens: 1.5, completion_tokens: 1 },
      { prompt_tokens: 1e308, completion_tokens: 1e308 },
      { prompt_tokens: "ten", completion_tokens: "5" },
      { prompt_tokens: 10, completion_tokens: 1_000_000_001 },
    ]) {
      const tested = gatewayUnderTest();
      tested.provider.script = { complete: async () => ({ ...completionOf("x".repeat(400)), usage }) };
      const answer = await (await tested.chat(await tested.key(), { max_tokens: 1_000 })).json();
      expect(completed(tested)).toMatchObject({ estimated: true });
      expect(answer.usage.completion_tokens).toBe(100);
      expect(charged(tested)).toBe(BigInt(answer.usage.prompt_tokens) * inputNano + 100n * outputNano);
    }
  });

  it.each([
    ["a legacy function call", { content: null, function_call: { name: "look", arguments: "x".repeat(396) } }],
    ["content parts", { content: [{ type: "text", text: "x".repeat(400) }] }],
  ])("by an estimate of %s, with and without streaming", async (_what, message) => {
    const tested = gatewayUnderTest();
    tested.provider.script = {
      complete: async () => ({ choices: [{ message, finish_reason: "stop" }] }),
      stream: async function* () {
        yield { choices: [{ index: 0, delta: JSON.parse(JSON.stringify(message)), finish_reason: "stop" }] };
      },
    };
    const { usage } = await (await tested.chat(await tested.key())).json();
    expect(usage.completion_tokens).toBe(100);
    const once = charged(tested);
    expect(once).toBe(BigInt(usage.prompt_tokens) * inputNano + 100n * outputNano);
    await (await tested.chat(await tested.key(), { stream: true, stream_options: { include_usage: false } })).text();
    expect(charged(tested) - once).toBeGreaterThan(100n * outputNano);
  });

  it("nothing for an answer that cannot be written as JSON", async () => {
    const tested = gatewayUnderTest();
    const deep: unknown = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
    for (const odd of [deep, 5n]) {
      tested.provider.script = { complete: async () => ({ ...completionOf("Hi"), odd }) };
      const response = await tested.chat(await tested.key());
      expect(response.status).toBe(502);
      expect((await response.json()).error.code).toBe("upstream_invalid_response");
    }
    expect(tested.balances.balance("acme")).toMatchObject({ posted: opening, held: 0n });
  });

  it("in full if the usage exceeds the hold, and the next hold is rejected", async () => {
    const tested = gatewayUnderTest();
    tested.balances.credit({ id: "little", account: "poor", amount: 700_000n, reason: "test" });
    const secret = await tested.key({ account: "poor" });
    const usage = { prompt_tokens: 300, completion_tokens: 1_000, total_tokens: 1_300 };
    tested.provider.script = { complete: async () => completionOf("Hi", usage) };
    expect((await tested.chat(secret, { max_tokens: 256 })).status).toBe(200);
    expect(tested.balances.balance("poor").available).toBe(700_000n - 300n * inputNano - 1_000n * outputNano);
    expect((await tested.chat(secret, { max_tokens: 1 })).status).toBe(402);
    expect((await tested.models(secret)).status).toBe(402);
  });

  it("nothing if the provider rejected the request or failed before its first byte", async () => {
    const tested = gatewayUnderTest();
    const fail = () => {
      throw new ProviderError("failed", "no");
    };
    tested.provider.script = { complete: async () => fail(), stream: fail };
    await tested.chat(await tested.key());
    await tested.chat(await tested.key(), { stream: true });
    expect(charged(tested)).toBe(0n);
    expect(tested.balances.balance("acme").held).toBe(0n);
  });

  it("for the prompt and the delivered output if the upstream fails during the stream, or nothing with interrupted: waive", async () => {
    for (const interrupted of ["charge", "waive"] as const) {
      const tested = gatewayUnderTest({ money: { interrupted } });
      tested.provider.script = {
        stream: async function* () {
          yield content("x".repeat(40));
          throw new ProviderError("failed", "died");
        },
      };
      await allEvents(await tested.chat(await tested.key(), { stream: true }));
      await expect.poll(() => tested.gateway.inFlight()).toBe(0);
      if (interrupted === "waive") expect(charged(tested)).toBe(0n);
      else expect(charged(tested)).toBeGreaterThanOrEqual(10n * outputNano);
      if (interrupted === "charge")
        expect(completed(tested)).toMatchObject({ estimated: true, usage: { completion_tokens: 10 } });
    }
  });

  it("for the prompt and the received output if the client disconnects from a stream", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = {
      stream: async function* ({ signal }) {
        yield content("x".repeat(40));
        await hang(signal);
      },
    };
    const response = await tested.chat(await tested.key(), { stream: true });
    await response.body?.cancel();
    await expect
      .poll(() => completed(tested))
      .toMatchObject({ ending: "client_gone", usage: { completion_tokens: 10 } });
    expect(tested.provider.calls[0]?.signal.aborted).toBe(true);
    expect(charged(tested)).toBeGreaterThan(10n * outputNano);
  });

  it("by the usage frame if the client disconnects and the provider bills the whole answer", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = {
      capabilities: { cancel: "full-charge" },
      stream: async function* () {
        yield content("Hi");
        await new Promise((resolve) => setTimeout(resolve, 30));
        yield* chunksOf(["there"], { prompt_tokens: 10, completion_tokens: 77, total_tokens: 87 });
      },
    };
    const response = await tested.chat(await tested.key(), { stream: true });
    await response.body?.cancel();
    await expect
      .poll(() => completed(tested))
      .toMatchObject({ ending: "client_gone", usage: { completion_tokens: 77 } });
    expect(charged(tested)).toBe(10n * inputNano + 77n * outputNano);
  });

  it("by the later usage if the client disconnects from a request without streaming", async () => {
    const tested = gatewayUnderTest();
    let finish: () => void = () => undefined;
    tested.provider.script = {
      complete: () =>
        new Promise((resolve) => {
          finish = () => resolve(completionOf("Hi"));
        }),
    };
    const client = new AbortController();
    const running = tested.chat(await tested.key(), {}, { signal: client.signal });
    await expect.poll(() => tested.provider.calls.length).toBe(1);
    client.abort();
    expect(tested.provider.calls[0]?.signal.aborted).toBe(false);
    finish();
    await running;
    expect(charged(tested)).toBe(10n * inputNano + 5n * outputNano);
  });

  it("nothing if the client disconnects before the provider is called", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = { complete: async () => completionOf("Hi") };
    await tested.chat(await tested.key(), {}, { signal: AbortSignal.abort() }).catch(() => undefined);
    expect(tested.provider.calls).toHaveLength(0);
    expect(charged(tested)).toBe(0n);
    expect(tested.gateway.inFlight()).toBe(0);
  });

  it("with a receipt of the tokens, the prices and the request", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = { complete: async () => completionOf("Hi") };
    const response = await tested.chat(await tested.key());
    const { entries } = tested.balances.entries({ account: "acme", limit: 10 });
    expect(entries.at(-1)?.receipt).toEqual({
      requestId: response.headers.get("x-request-id"),
      model: "plain",
      dialect: "chat",
      keyId: expect.any(String),
      charge: {
        provider: tested.provider.name,
        upstreamModel: "upstream-model",
        tokens: { input: 10, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 5, reasoning: 0 },
        basis: "reported",
        prices: {
          input: 1_000_000_000n,
          cachedInput: 1_000_000_000n,
          cacheWrite5m: 1_000_000_000n,
          cacheWrite1h: 1_000_000_000n,
          output: 2_000_000_000n,
          request: 0n,
        },
        durationMs: expect.any(Number),
        status: "complete",
        answerId: "chatcmpl-upstream",
      },
    });
  });

  it("after the answer if the store is unavailable at settlement, once and exactly", async () => {
    const tested = gatewayUnderTest();
    const { settle } = tested.balances;
    let failures = 2;
    tested.balances.settle = (id, amount, receipt) => {
      if (failures-- > 0) throw new Error("connection lost");
      return settle.call(tested.balances, id, amount, receipt);
    };
    tested.provider.script = { complete: async () => completionOf("Hi") };
    expect((await tested.chat(await tested.key())).status).toBe(200);
    await expect.poll(() => charged(tested)).toBe(10n * inputNano + 5n * outputNano);
    expect(tested.events.filter(({ type }) => type === "settlement.delayed")).toHaveLength(2);
  });

  it("nothing on a plan that does not bill", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = { complete: async () => completionOf("Hi") };
    expect((await tested.chat(await tested.key({ plan: "subscription", account: "nobody" }))).status).toBe(200);
    expect(completed(tested)).toMatchObject({ cost: 0n, usage: { total_tokens: 15 } });
  });
});

describe("holds under load", () => {
  it("admit exactly as many of 100 parallel requests as the balance covers", async () => {
    const tested = gatewayUnderTest();
    const waiting: (() => void)[] = [];
    tested.provider.script = {
      complete: () => new Promise((resolve) => waiting.push(() => resolve(completionOf("Hi")))),
    };
    const body = { max_tokens: 100 };
    const first = await tested.key();
    void tested.chat(first, body);
    await expect.poll(() => waiting.length).toBe(1);
    const one = tested.balances.balance("acme").held;
    tested.balances.credit({ id: "ten", account: "ten", amount: 10n * one + one / 2n, reason: "test" });
    const secret = await tested.key({ account: "ten" });
    const answers = Array.from({ length: 100 }, () => tested.chat(secret, body));
    await expect.poll(() => waiting.length).toBe(11);
    for (const answer of waiting) answer();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 402)).toHaveLength(90);
    expect(tested.balances.balance("ten").held).toBe(0n);
  });
});
