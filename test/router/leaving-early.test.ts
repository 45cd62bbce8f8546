import type { GatewayOptions } from "@tollgate/core";
import type { ChatCompletionChunk, ProviderCapabilities } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { pass, until, useFakeTime } from "../faults/liveness/fake-time.ts";
import { aborted, chunksBefore, contentFrame, fails, inSequence, named } from "../routing/scripts.ts";
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
/** 30,000 of the completion tokens are hidden reasoning. */
const usage = { prompt_tokens: 10, completion_tokens: 30_002, total_tokens: 30_012 };
const wholeCost = 10n * inputNano + 30_002n * outputNano;

/** A gateway whose models use this provider and have this output limit. */
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

/** Sends two words, reasons for this time, and ends with its usage. An abort ends it. */
function reasonsFor(milliseconds: number, capabilities: Partial<ProviderCapabilities> = {}): Script {
  return {
    capabilities,
    async *stream({ signal }) {
      yield contentFrame("12345678");
      await reasoningDelay(milliseconds, signal);
      yield* chunksOf([], usage);
    },
    async complete({ signal }) {
      await reasoningDelay(milliseconds, signal);
      return completionOf("12345678", usage);
    },
  };
}

function reasoningDelay(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return Promise.race([new Promise((resolve) => setTimeout(resolve, milliseconds)), aborted(signal)]);
}

/** Sends a request, and resolves with its pending response once its provider is called. */
async function startChat(
  tested: GatewayUnderTest,
  { calls }: ScriptedProvider,
  ...request: Parameters<GatewayUnderTest["chat"]>
): Promise<{ readonly pending: Promise<Response> }> {
  const before = calls.length;
  const pending = tested.chat(...request);
  pending.catch(() => undefined);
  await until(() => calls.length > before);
  return { pending };
}

/** Requests a stream and disconnects after its first content. */
async function leaveStream(tested: GatewayUnderTest, model = "thinker", secret?: string): Promise<void> {
  const response = await tested.chat(secret ?? (await tested.key()), { model, stream: true });
  await response.body?.cancel();
}

/** Requests an answer without streaming and disconnects once the provider is called. */
async function leaveJson(tested: GatewayUnderTest, provider: ScriptedProvider, model: string): Promise<void> {
  const client = new AbortController();
  await startChat(tested, provider, await tested.key(), { model }, { signal: client.signal });
  client.abort();
  await pass(250);
}

describe("a client that disconnects from a stream of a model with hidden reasoning", () => {
  it("is charged the same as a client that stays connected", async () => {
    const provider = named("hiding", reasonsFor(20_000));
    const tested = gatewayWith(provider);
    const { pending } = await startChat(tested, provider, await tested.key(), { model: "thinker", stream: true });
    const staying = pending.then(allEvents);
    await pass(20_000);
    await staying;
    expect(chargedOf(tested)).toBe(wholeCost);
    await leaveStream(tested);
    await pass(20_000);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", estimated: false, cost: wholeCost });
    expect(chargedOf(tested)).toBe(2n * wholeCost);
    expect(tested.gateway.inFlight()).toBe(0);
  });

  it("is charged for the prompt, the output and 200 tokens per second if no usage arrives within 60 s, when the call is aborted", async () => {
    const provider = named("endless", reasonsFor(3_600_000));
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
    // Ten seconds before it disconnected, sixty after it, and two tokens of content. The clock is read four times per second.
    expect(tokens).toBeGreaterThanOrEqual(2 + 70 * 200);
    expect(tokens).toBeLessThanOrEqual(2 + 70.5 * 200);
  });

  it("is charged at most the hold", async () => {
    const tested = gatewayWith(named("endless", reasonsFor(3_600_000)), {}, 1_000);
    await leaveStream(tested);
    const { held } = tested.balances.balance("acme");
    await pass(61_000);
    expect(tested.completed()?.usage.completion_tokens).toBe(1_000);
    expect(chargedOf(tested)).toBeLessThanOrEqual(held);
  });

  it("has the call aborted immediately with hiddenReasoning: estimate, and is charged for the time until then", async () => {
    const provider = named("endless", reasonsFor(3_600_000));
    const tested = gatewayWith(provider, { money: { hiddenReasoning: "estimate", hiddenTokensPerSecond: 50 } });
    const response = await tested.chat(await tested.key(), { model: "thinker", stream: true });
    await pass(10_000);
    await response.body?.cancel();
    await pass(0);
    expect(provider.calls[0]?.signal.aborted).toBe(true);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", usage: { completion_tokens: 2 + 500 } });
  });

  it("is immediately charged for only the received output if the model's reasoning is visible or absent", async () => {
    for (const model of ["open thinker", "plain"]) {
      const provider = named("open", reasonsFor(3_600_000));
      const tested = gatewayWith(provider);
      const response = await tested.chat(await tested.key(), { model, stream: true });
      await pass(10_000);
      await response.body?.cancel();
      await pass(0);
      expect(provider.calls[0]?.signal.aborted).toBe(true);
      expect(tested.completed()).toMatchObject({ ending: "client_gone", usage: { completion_tokens: 2 } });
    }
  });

  it.each([
    { include_reasoning: false },
    { reasoning: { exclude: true } },
    { reasoning_format: "hidden" },
    { thinking: { type: "enabled", display: "omitted" } },
  ])("is charged like a client that stays if the request hides visible reasoning: %j", async (hides) => {
    const tested = gatewayWith(named("hiding", reasonsFor(20_000)));
    const response = await tested.chat(await tested.key(), { model: "open thinker", stream: true, ...hides });
    expect(response.status).toBe(200);
    await response.body?.cancel();
    await pass(20_000);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", estimated: false, cost: wholeCost });
  });

  it.each([
    ["messages", { thinking: { type: "adaptive", display: "omitted" }, max_tokens: 50_000 }, wholeCost],
    ["messages", { thinking: { type: "adaptive", display: "summarized" }, max_tokens: 50_000 }, undefined],
    ["responses", { reasoning: { effort: "low" } }, wholeCost],
    ["responses", { reasoning: { summary: "auto" }, include: ["reasoning.encrypted_content"] }, wholeCost],
    ["responses", { reasoning: { summary: "auto" } }, undefined],
  ] as const)("is charged so in %s if the request has %j", async (dialect, hides, cost) => {
    const tested = gatewayWith(named("hiding", reasonsFor(20_000)));
    const words = dialect === "messages" ? { messages: [{ role: "user", content: "Hi" }] } : { input: "Hi" };
    const response = await tested.gateway.fetch(
      new Request(`http://gateway.test/router/v1/${dialect}`, {
        method: "POST",
        headers: { authorization: `Bearer ${await tested.key()}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "open thinker", stream: true, ...words, ...hides }),
      }),
    );
    expect(response.status).toBe(200);
    await response.body?.cancel();
    await pass(20_000);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", estimated: cost === undefined });
    if (cost !== undefined) expect(tested.completed()?.cost).toBe(cost);
    else expect(tested.completed()?.usage.completion_tokens).toBe(2);
  });

  it("is charged so if the answer has encrypted reasoning", async () => {
    const stream: Script["stream"] = async function* ({ signal }) {
      const details = [{ type: "reasoning.encrypted", data: "Zm9v" }];
      yield { choices: [{ index: 0, delta: { reasoning_details: details } }] };
      await reasoningDelay(20_000, signal);
      yield* chunksOf([], usage);
    };
    const tested = gatewayWith(named("hiding", { stream }));
    await leaveStream(tested, "open thinker");
    await pass(20_000);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", estimated: false, cost: wholeCost });
  });

  it("is charged for the time of the call that answers, not of failed calls before it", async () => {
    const slowFailure: Script = {
      stream: ({ signal }) =>
        chunksBefore([], () => reasoningDelay(30_000, signal).then(() => Promise.reject(new Error("")))),
    };
    const first = named("first", slowFailure);
    const second = named("second", reasonsFor(3_600_000));
    const targets = [first, second].map((provider) => ({ provider, model: "up" }));
    const tested = gatewayWith(first, {
      models: [{ id: "thinker", maxOutputTokens: 100_000, contextWindow: 8_000, price, reasoning: effort, targets }],
      money: { hiddenReasoning: "estimate" },
      routing: { retries: 0 },
      streams: { responseStartTimeoutMs: 120_000 },
    });
    const { pending } = await startChat(tested, first, await tested.key(), { model: "thinker", stream: true });
    await pass(30_000);
    const response = await pending;
    await pass(1_000);
    await response.body?.cancel();
    await pass(0);
    const tokens = tested.completed()?.usage.completion_tokens ?? 0;
    expect(tokens).toBeGreaterThanOrEqual(2 + 200);
    expect(tokens).toBeLessThan(2 + 2 * 200);
  });

  it("is not charged if no call was made", async () => {
    const provider = named("busy", inSequence(fails("overloaded", { retryAfterSeconds: 60 }), reasonsFor(1_000)));
    const tested = gatewayWith(provider, { routing: { maxRetryAfterMs: 60_000 } });
    const client = new AbortController();
    await startChat(
      tested,
      provider,
      await tested.key(),
      { model: "thinker", stream: true },
      { signal: client.signal },
    );
    await pass(1_000);
    client.abort();
    await pass(61_000);
    expect(provider.calls).toHaveLength(1);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", cost: 0n });
  });

  it("frees its concurrency slot immediately, and its tokens are counted when they are known", async () => {
    const provider = named("hiding", reasonsFor(20_000));
    const tested = gatewayWith(provider, { money: { reserveOutputTokens: 100_000 } });
    const secret = await tested.key({ limits: { concurrency: 1, tokens: { limit: 150_000, windowSeconds: 600 } } });
    await leaveStream(tested, "thinker", secret);
    expect(tested.gateway.inFlight()).toBe(1);
    // 100,000 tokens are reserved until the usage arrives.
    expect((await tested.chat(secret, { model: "thinker", max_tokens: 60_000 })).status).toBe(429);
    const next = await startChat(tested, provider, secret, { model: "thinker", max_tokens: 10 });
    await pass(20_000);
    expect((await next.pending).status).toBe(200);
    const last = await startChat(tested, provider, secret, { model: "thinker", max_tokens: 80_000 });
    await pass(20_000);
    expect((await last.pending).status).toBe(200);
  });

  it("does not keep more calls running than a tenth of maxInFlight", async () => {
    const provider = named("endless", reasonsFor(3_600_000));
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

  it("delays a drain, which aborts and charges the call at its timeout", async () => {
    for (const timeoutMs of [5_000, 30_000]) {
      const tested = gatewayWith(named("hiding", reasonsFor(20_000)));
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

  it("is charged for the whole answer if it is disconnected after it read nothing for 60 s, although the upstream was paused", async () => {
    const chunk = "x".repeat(1_000);
    let sent = 0;
    const provider = named("long", {
      async *stream() {
        for (; sent < 2_000; sent++) yield contentFrame(chunk);
        yield* chunksOf([], usage);
      },
    });
    const tested = gatewayWith(provider, { streams: { maxBufferedBytes: 100_000 } });
    await tested.chat(await tested.key(), { model: "thinker", stream: true });
    await pass(50_000);
    expect(sent).toBeLessThan(1_000);
    await pass(20_000);
    expect(sent).toBe(2_000);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", estimated: false, cost: wholeCost });
  });

  it("is charged by the delivered text, and by the bytes of the rest, if the host counts tokens", async () => {
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

describe("a stream with hidden reasoning whose client stays connected", () => {
  it.each([
    ["fails", (signal: AbortSignal) => reasoningDelay(30_000, signal).then(() => Promise.reject(new Error("died")))],
    ["exceeds its idle limit", (signal: AbortSignal) => aborted(signal)],
  ])("is charged only for the prompt and the delivered output if the upstream %s", async (_how, end) => {
    const provider = named("failing", {
      stream: ({ signal }) => chunksBefore([contentFrame("12345678")], () => end(signal)),
    });
    const tested = gatewayWith(provider, { upstream: { idleMs: 60_000 } });
    const { pending } = await startChat(tested, provider, await tested.key(), { model: "thinker", stream: true });
    const reading = pending.then(allEvents);
    await pass(61_000);
    await reading;
    expect(tested.completed()).toMatchObject({ ending: "upstream_failed", usage: { completion_tokens: 2 } });
  });
});

describe("a process that crashes while a model reasons", () => {
  it.each([
    { model: "thinker", stream: true, unseen: 8_700 },
    { model: "thinker", stream: false, unseen: 8_700 },
    { model: "open thinker", stream: true, unseen: 0 },
    { model: "open thinker", stream: false, unseen: 8_700 },
    { model: "plain", stream: false, unseen: 0 },
  ])("leaves a checkpoint that includes the time: $model, stream $stream", async ({ model, stream, unseen }) => {
    const never = 3_600_000;
    const upstream = { firstFrameMs: never, idleMs: never, totalMs: never };
    const provider = named("endless", reasonsFor(never));
    const tested = gatewayWith(provider, { upstream, streams: { stalledMs: never } });
    const { renew } = tested.balances;
    let last = 0n;
    tested.balances.renew = (renewals, leaseMs) => {
      last = renewals[0]?.used ?? last;
      return renew.call(tested.balances, renewals, leaseMs);
    };
    await startChat(tested, provider, await tested.key(), { model, stream });
    await pass(60_000);
    // Heartbeats are at most 16.5 seconds apart, so the last one was between 43.5 and 60 seconds after the call.
    expect(last).toBeGreaterThanOrEqual(BigInt(unseen) * outputNano);
    if (unseen === 0) expect(last).toBeLessThan(100n * outputNano);
    tested.balances.renew = () => [];
    await pass(61_000);
    tested.balances.expire();
    expect(chargedOf(tested)).toBe(last);
  });
});

describe("a client that disconnects from a request without streaming", () => {
  it.each(["thinker", "plain"])(
    "is charged by the usage that arrives within 60 s, and does not count towards its key's concurrency: %s",
    async (model) => {
      const provider = named("late", reasonsFor(50_000));
      const tested = gatewayWith(provider);
      const secret = await tested.key({ limits: { concurrency: 1 } });
      const client = new AbortController();
      await startChat(tested, provider, secret, { model }, { signal: client.signal });
      await pass(1_000);
      client.abort();
      await pass(250);
      const next = await startChat(tested, provider, secret, { model });
      await pass(50_000);
      expect((await next.pending).status).toBe(200);
      expect(chargedOf(tested)).toBe(2n * wholeCost);
      expect(tested.gateway.inFlight()).toBe(0);
    },
  );

  it.each([
    { model: "thinker", least: 60 * 200, most: 61 * 200 },
    { model: "open thinker", least: 60 * 200, most: 61 * 200 },
    { model: "plain", least: 0, most: 0 },
  ])("is charged for the prompt and the time if no usage arrives: $model", async ({ model, least, most }) => {
    const provider = named("endless", reasonsFor(3_600_000));
    const tested = gatewayWith(provider);
    await leaveJson(tested, provider, model);
    await pass(59_000);
    expect(provider.calls[0]?.signal.aborted).toBe(false);
    await pass(1_500);
    expect(provider.calls[0]?.signal.aborted).toBe(true);
    const paid = tested.completed()?.usage;
    expect(paid?.prompt_tokens).toBeGreaterThan(0);
    expect(paid?.completion_tokens).toBeGreaterThanOrEqual(least);
    expect(paid?.completion_tokens).toBeLessThanOrEqual(most);
  });

  it("does not keep more calls running than a tenth of maxInFlight", async () => {
    const provider = named("endless", reasonsFor(3_600_000));
    const tested = gatewayWith(provider, { maxInFlight: 10 });
    await leaveStream(tested);
    await leaveJson(tested, provider, "thinker");
    expect(provider.calls.map(({ signal }) => signal.aborted)).toEqual([false, true]);
    await pass(61_000);
    await leaveJson(tested, provider, "thinker");
    expect(provider.calls.at(-1)?.signal.aborted).toBe(false);
    await pass(61_000);
  });
});

describe("createGateway", () => {
  it("rejects invalid numbers and an unknown value of hiddenReasoning", () => {
    const money = JSON.parse('{"hiddenReasoning":"free","hiddenTokensPerSecond":-1,"usageDrainMs":0}');
    expect(() => gatewayUnderTest({ money })).toThrow(
      /hiddenReasoning` must be "drain" or "estimate".*\n.*hiddenTokensPerSecond.*\n.*usageDrainMs/,
    );
  });
});

describe("a client that leaves after output that is not text", () => {
  const url = "https://cdn.test/1.png";
  it.each([
    ["an image by URL", { images: [{ type: "image_url", image_url: { url } }] }, 1_290],
    ["details of its reasoning", { reasoning_details: [{ type: "reasoning.text", text: "x".repeat(400) }] }, 100],
    ["speech", { audio: { id: "a", data: "A".repeat(4_000), expires_at: 1 } }, 1_000],
  ])("is charged for %s", async (_what, delta, tokens) => {
    const provider = named("open", {
      stream: ({ signal }) => chunksBefore([{ choices: [{ index: 0, delta }] }], () => aborted(signal)),
    });
    const tested = gatewayWith(provider);
    await leaveStream(tested, "plain");
    await pass(0);
    expect(tested.completed()).toMatchObject({ ending: "client_gone", usage: { completion_tokens: tokens } });
  });
});
