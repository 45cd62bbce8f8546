import type { GatewayOptions } from "@tollgate/core";
import type { ChatCompletionChunk, ProviderCapabilities } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { pass, useFakeTime } from "../faults/liveness/fake-time.ts";
import { aborted, chunksBefore, contentFrame, fails, inTurn, named } from "../routing/scripts.ts";
import { isChargedEnd } from "../support/end-events.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { allEvents } from "../support/read-stream.ts";
import { chunksOf, completionOf, type Script, type ScriptedProvider } from "../support/scripted-provider.ts";

useFakeTime();

const opening = 1_000_000_000n;
const inputNano = 1_000n;
const outputNano = 2_000n;
const price = { input: "1", output: "2" };
const effort = { effortLevels: ["low"], defaultEffort: "low" };
/** 30,000 of the completion tokens are reasoning that no delta shows. */
const usage = { prompt_tokens: 10, completion_tokens: 30_002, total_tokens: 30_012 };
const wholeCost = 10n * inputNano + 30_002n * outputNano;

/** A gateway whose models are served by this provider, and have so many output tokens at most. */
function gatewayWith(provider: ScriptedProvider, options: Partial<GatewayOptions> = {}, maxOutputTokens = 100_000) {
  const model = { maxOutputTokens, contextWindow: 8_000, price, targets: [{ provider, model: "up" }] };
  const tested = gatewayUnderTest({
    models: [
      { id: "thinker", ...model, reasoning: effort },
      { id: "open thinker", ...model, reasoning: { ...effort, visible: true } },
      { id: "plain", ...model },
    ],
    ...options,
  });
  const completed = () => tested.events.findLast(isChargedEnd);
  return { ...tested, completed };
}

const chargedOf = ({ balances }: GatewayUnderTest): bigint => opening - balances.balance("acme").posted;

/** Says two words, thinks for so long, and ends with its usage; an abort ends it. */
function thinks(milliseconds: number, capabilities: Partial<ProviderCapabilities> = {}): Script {
  return {
    capabilities,
    async *stream({ signal }) {
      yield contentFrame("12345678");
      await thinking(milliseconds, signal);
      yield* chunksOf([], usage);
    },
    async complete({ signal }) {
      await thinking(milliseconds, signal);
      return completionOf("12345678", usage);
    },
  };
}

function thinking(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return Promise.race([new Promise((resolve) => setTimeout(resolve, milliseconds)), aborted(signal)]);
}

/** Asks for a stream and leaves once its first content has come. */
async function leaveStream(tested: GatewayUnderTest, model = "thinker", secret?: string): Promise<void> {
  const response = await tested.chat(secret ?? (await tested.key()), { model, stream: true });
  await response.body?.cancel();
}

/** Asks for an answer in one piece and leaves once the provider was called. */
async function leaveJson(tested: GatewayUnderTest, model: string): Promise<void> {
  const client = new AbortController();
  tested.chat(await tested.key(), { model }, { signal: client.signal }).catch(() => undefined);
  await pass(1);
  client.abort();
  await pass(250);
}

describe("a client that leaves a stream of a model that hides its reasoning", () => {
  it("pays what one that stays pays", async () => {
    const provider = named("hiding", thinks(20_000));
    const tested = gatewayWith(provider);
    const staying = tested.chat(await tested.key(), { model: "thinker", stream: true }).then(allEvents);
    await pass(20_000);
    await staying;
    expect(chargedOf(tested)).toBe(wholeCost);
    await leaveStream(tested);
    await pass(20_000);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", estimated: false, cost: wholeCost });
    expect(chargedOf(tested)).toBe(2n * wholeCost);
    expect(tested.gateway.inFlight()).toBe(0);
  });

  it("pays for prompt, output and 200 tokens a second when no usage comes within 60 s, and the call is ended", async () => {
    const provider = named("endless", thinks(3_600_000));
    const tested = gatewayWith(provider);
    await pass(0);
    const response = await tested.chat(await tested.key(), { model: "thinker", stream: true });
    await pass(10_000);
    await response.body?.cancel();
    await pass(59_000);
    expect(provider.calls[0]?.signal.aborted).toBe(false);
    await pass(1_500);
    expect(provider.calls[0]?.signal.aborted).toBe(true);
    const tokens = tested.completed()?.usage.completion_tokens ?? 0;
    expect(tested.completed()).toMatchObject({ ending: "client_gone", estimated: true });
    // Ten seconds before it left, sixty after it, two tokens of content; the clock is looked at four times a second.
    expect(tokens).toBeGreaterThanOrEqual(2 + 70 * 200);
    expect(tokens).toBeLessThanOrEqual(2 + 70.5 * 200);
  });

  it("pays at most what was held", async () => {
    const tested = gatewayWith(named("endless", thinks(3_600_000)), {}, 1_000);
    await leaveStream(tested);
    const { held } = tested.balances.balance("acme");
    await pass(61_000);
    expect(tested.completed()?.usage.completion_tokens).toBe(1_000);
    expect(chargedOf(tested)).toBeLessThanOrEqual(held);
  });

  it("has the call ended at once with the option `estimate`, and pays for the time until then", async () => {
    const provider = named("endless", thinks(3_600_000));
    const tested = gatewayWith(provider, { money: { hiddenReasoning: "estimate", hiddenTokensPerSecond: 50 } });
    const response = await tested.chat(await tested.key(), { model: "thinker", stream: true });
    await pass(10_000);
    await response.body?.cancel();
    await pass(0);
    expect(provider.calls[0]?.signal.aborted).toBe(true);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", usage: { completion_tokens: 2 + 500 } });
  });

  it("pays for the received output alone, at once, where the model shows its reasoning or has none", async () => {
    for (const model of ["open thinker", "plain"]) {
      const provider = named("open", thinks(3_600_000));
      const tested = gatewayWith(provider);
      const response = await tested.chat(await tested.key(), { model, stream: true });
      await pass(10_000);
      await response.body?.cancel();
      await pass(0);
      expect(provider.calls[0]?.signal.aborted).toBe(true);
      expect(tested.completed()).toMatchObject({ ending: "client_gone", usage: { completion_tokens: 2 } });
    }
  });

  it("pays for the time of the call that answers, not of those that failed before it", async () => {
    const slowFailure: Script = {
      stream: ({ signal }) =>
        chunksBefore([], () => thinking(30_000, signal).then(() => Promise.reject(new Error("")))),
    };
    const first = named("first", slowFailure);
    const second = named("second", thinks(3_600_000));
    const targets = [first, second].map((provider) => ({ provider, model: "up" }));
    const tested = gatewayWith(first, {
      models: [{ id: "thinker", maxOutputTokens: 100_000, contextWindow: 8_000, price, reasoning: effort, targets }],
      money: { hiddenReasoning: "estimate" },
      routing: { retries: 0 },
      streams: { responseStartTimeoutMs: 120_000 },
    });
    const asking = tested.chat(await tested.key(), { model: "thinker", stream: true });
    await pass(30_000);
    const response = await asking;
    await pass(1_000);
    await response.body?.cancel();
    await pass(0);
    const tokens = tested.completed()?.usage.completion_tokens ?? 0;
    expect(tokens).toBeGreaterThanOrEqual(2 + 200);
    expect(tokens).toBeLessThan(2 + 2 * 200);
  });

  it("pays nothing when no call was made for it", async () => {
    const provider = named("busy", inTurn(fails("overloaded", { retryAfterSeconds: 60 }), thinks(1_000)));
    const tested = gatewayWith(provider, { routing: { maxRetryAfterMs: 60_000 } });
    const client = new AbortController();
    const asking = tested.chat(await tested.key(), { model: "thinker", stream: true }, { signal: client.signal });
    asking.catch(() => undefined);
    await pass(1_000);
    client.abort();
    await pass(61_000);
    expect(provider.calls).toHaveLength(1);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", cost: 0n });
  });

  it("frees its place for another request at once, and has its tokens counted when they are known", async () => {
    const tested = gatewayWith(named("hiding", thinks(20_000)));
    const secret = await tested.key({ limits: { concurrency: 1, tokens: { limit: 150_000, windowSeconds: 600 } } });
    await leaveStream(tested, "thinker", secret);
    expect(tested.gateway.inFlight()).toBe(1);
    // Reserved are 100,000 of it until the usage is there.
    expect((await tested.chat(secret, { model: "thinker", max_tokens: 60_000 })).status).toBe(429);
    const next = tested.chat(secret, { model: "thinker", max_tokens: 10 });
    await pass(20_000);
    expect((await next).status).toBe(200);
    const last = tested.chat(secret, { model: "thinker", max_tokens: 80_000 });
    await pass(20_000);
    expect((await last).status).toBe(200);
  });

  it("is not read on beyond a tenth of what may run", async () => {
    const provider = named("endless", thinks(3_600_000));
    const tested = gatewayWith(provider, { maxInFlight: 20 });
    for (let left = 0; left < 3; left++) await leaveStream(tested);
    await pass(0);
    expect(provider.calls.map(({ signal }) => signal.aborted)).toEqual([false, false, true]);
    await pass(61_000);
    expect(provider.calls.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    await leaveStream(tested);
    await pass(0);
    expect(provider.calls.at(-1)?.signal.aborted).toBe(false);
  });

  it("is waited for by a drain, and ended and charged at its timeout", async () => {
    for (const timeoutMs of [5_000, 30_000]) {
      const tested = gatewayWith(named("hiding", thinks(20_000)));
      await leaveStream(tested);
      let drained = false;
      void tested.gateway.drain({ timeoutMs }).then(() => {
        drained = true;
      });
      await pass(4_999);
      expect([drained, tested.gateway.inFlight()]).toEqual([false, 1]);
      await pass(15_001);
      expect([drained, tested.gateway.inFlight()]).toEqual([true, 0]);
      expect(tested.completed()).toMatchObject(
        timeoutMs === 30_000
          ? { ending: "client_gone", estimated: false, cost: wholeCost }
          : { ending: "client_gone", estimated: true, usage: { completion_tokens: 2 + 1_000 } },
      );
    }
  });

  it("pays for its whole answer when it took nothing for 60 s and is cut off, though its upstream was paused", async () => {
    const chunk = "x".repeat(1_000);
    let given = 0;
    const provider = named("long", {
      async *stream() {
        for (; given < 2_000; given++) yield contentFrame(chunk);
        yield* chunksOf([], usage);
      },
    });
    const tested = gatewayWith(provider, { streams: { maxBufferedBytes: 100_000 } });
    await tested.chat(await tested.key(), { model: "thinker", stream: true });
    await pass(50_000);
    expect(given).toBeLessThan(1_000);
    await pass(20_000);
    expect(given).toBe(2_000);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", estimated: false, cost: wholeCost });
  });

  it("pays by the text that it was given and by the bytes of the rest when the host counts tokens", async () => {
    const texts: string[] = [];
    const countTokens = (text: string) => {
      texts.push(text);
      return 7;
    };
    const rest = async function* (): AsyncGenerator<ChatCompletionChunk> {
      yield contentFrame("12345678");
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      yield contentFrame("x".repeat(400));
      yield { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    };
    const tested = gatewayWith(named("silent", { stream: rest }), {
      money: { countTokens, hiddenTokensPerSecond: 1 },
    });
    await leaveStream(tested);
    await pass(1_000);
    expect(texts.sort()).toEqual(["12345678", "Hello"]);
    expect(tested.completed()?.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 7 + 100 + 1 });
  });
});

describe("a stream of hidden reasoning that the client did not leave", () => {
  it.each([
    ["dies", (signal: AbortSignal) => thinking(30_000, signal).then(() => Promise.reject(new Error("died")))],
    ["is cut off by its idle limit", (signal: AbortSignal) => aborted(signal)],
  ])("is charged for prompt and delivered output alone when the upstream %s", async (_how, end) => {
    const provider = named("failing", {
      stream: ({ signal }) => chunksBefore([contentFrame("12345678")], () => end(signal)),
    });
    const tested = gatewayWith(provider, { upstream: { idleMs: 60_000 } });
    const reading = tested.chat(await tested.key(), { model: "thinker", stream: true }).then(allEvents);
    await pass(61_000);
    await reading;
    expect(tested.completed()).toMatchObject({ ending: "upstream_failed", usage: { completion_tokens: 2 } });
  });
});

describe("a process that dies while a model thinks", () => {
  it.each([
    { model: "thinker", stream: true, unseen: 9_000 },
    { model: "thinker", stream: false, unseen: 9_000 },
    { model: "open thinker", stream: true, unseen: 0 },
    { model: "open thinker", stream: false, unseen: 9_000 },
    { model: "plain", stream: false, unseen: 0 },
  ])("leaves a checkpoint with its time: $model, stream $stream", async ({ model, stream, unseen }) => {
    const never = 3_600_000;
    const upstream = { firstFrameMs: never, idleMs: never, totalMs: never };
    const tested = gatewayWith(named("endless", thinks(never)), { upstream, streams: { stalledMs: never } });
    const { renew } = tested.balances;
    let last = 0n;
    tested.balances.renew = (renewals, leaseMs) => {
      last = renewals[0]?.used ?? last;
      return renew.call(tested.balances, renewals, leaseMs);
    };
    const asking = tested.chat(await tested.key(), { model, stream });
    asking.catch(() => undefined);
    await pass(60_000);
    // The last beat came between 45 and 60 seconds after the call.
    expect(last).toBeGreaterThanOrEqual(BigInt(unseen) * outputNano);
    if (unseen === 0) expect(last).toBeLessThan(100n * outputNano);
    tested.balances.renew = () => [];
    await pass(61_000);
    tested.balances.expire();
    expect(chargedOf(tested)).toBe(last);
  });
});

describe("a client that leaves an answer in one piece", () => {
  it.each(["thinker", "plain"])(
    "pays by the usage that comes within 60 s, off its key's concurrency: %s",
    async (model) => {
      const tested = gatewayWith(named("late", thinks(50_000)));
      const secret = await tested.key({ limits: { concurrency: 1 } });
      const client = new AbortController();
      tested.chat(secret, { model }, { signal: client.signal }).catch(() => undefined);
      await pass(1_000);
      client.abort();
      await pass(250);
      const next = tested.chat(secret, { model });
      await pass(50_000);
      expect((await next).status).toBe(200);
      expect(chargedOf(tested)).toBe(2n * wholeCost);
      expect(tested.gateway.inFlight()).toBe(0);
    },
  );

  it.each([
    { model: "thinker", least: 60 * 200, most: 61 * 200 },
    { model: "open thinker", least: 60 * 200, most: 61 * 200 },
    { model: "plain", least: 0, most: 0 },
  ])("pays for prompt and time when no usage comes: $model", async ({ model, least, most }) => {
    const provider = named("endless", thinks(3_600_000));
    const tested = gatewayWith(provider);
    await leaveJson(tested, model);
    await pass(59_000);
    expect(provider.calls[0]?.signal.aborted).toBe(false);
    await pass(1_500);
    expect(provider.calls[0]?.signal.aborted).toBe(true);
    const paid = tested.completed()?.usage;
    expect(paid?.prompt_tokens).toBeGreaterThan(0);
    expect(paid?.completion_tokens).toBeGreaterThanOrEqual(least);
    expect(paid?.completion_tokens).toBeLessThanOrEqual(most);
  });

  it("is not read on beyond a tenth of what may run", async () => {
    const provider = named("endless", thinks(3_600_000));
    const tested = gatewayWith(provider, { maxInFlight: 10 });
    await leaveStream(tested);
    await leaveJson(tested, "thinker");
    expect(provider.calls.map(({ signal }) => signal.aborted)).toEqual([false, true]);
    await pass(61_000);
    await leaveJson(tested, "thinker");
    expect(provider.calls.at(-1)?.signal.aborted).toBe(false);
    await pass(61_000);
  });
});

describe("createGateway", () => {
  it("refuses numbers that are none and a way of reading on that there is not", () => {
    const money = JSON.parse('{"hiddenReasoning":"free","hiddenTokensPerSecond":-1,"readOnMs":0}');
    expect(() => gatewayUnderTest({ money })).toThrow(
      /hiddenReasoning` must be "drain" or "estimate".*\n.*hiddenTokensPerSecond.*\n.*readOnMs/,
    );
  });
});
