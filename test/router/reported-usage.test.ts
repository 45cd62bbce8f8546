import { memoryLimiter } from "@tollgate/core";
import { type ChatCompletionChunk, ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { allEvents } from "../support/read-stream.ts";
import { chunksOf, completionOf, scriptedProvider } from "../support/scripted-provider.ts";

const opening = 1_000_000_000n;
const inputNano = 1_000n;
const outputNano = 2_000n;

const usageOf = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});
const charged = ({ balances }: GatewayUnderTest): bigint => opening - balances.balance("acme").posted;
const eventOf = <Type extends string>({ events }: GatewayUnderTest, type: Type) =>
  events.find((event) => event.type === type);
const content = (text: string): ChatCompletionChunk => ({ choices: [{ index: 0, delta: { content: text } }] });
const small = { max_tokens: 10 };

/** A gateway that records settlements of token windows, and holds. */
function metered(options: Parameters<typeof gatewayUnderTest>[0] = {}) {
  const limiter = memoryLimiter();
  const settled: number[] = [];
  const held: bigint[] = [];
  const { settle } = limiter;
  limiter.settle = (reservation, tokens) => {
    settled.push(tokens);
    return settle.call(limiter, reservation, tokens);
  };
  const tested = gatewayUnderTest({ limiter, ...options });
  const { hold } = tested.balances;
  tested.balances.hold = (request) => {
    held.push(request.amount);
    return hold.call(tested.balances, request);
  };
  const limits = { tokens: { limit: 1_000_000_000 } };
  return { ...tested, settled, held, limits };
}

/** Sends a request whose answer has this usage, with or without streaming. Returns the usage in the response. */
async function ask(tested: ReturnType<typeof metered>, usage: unknown, form: "JSON" | "stream", more = {}) {
  tested.provider.script = {
    complete: async () => completionOf("Hi", usage),
    stream: () => chunksOf(["Hi"], usage),
  };
  const secret = await tested.key({ limits: tested.limits, ...more });
  const answer = await tested.chat(secret, { ...small, stream: form === "stream" });
  if (form === "JSON") return (await answer.json()).usage;
  const events = await allEvents(answer);
  return JSON.parse(events.at(-2) ?? "").usage;
}

describe.each(["JSON", "stream"] as const)("a usage above the hold in an answer of the form %s", (form) => {
  it("is charged as reported up to ten times the hold", async () => {
    const tested = metered();
    expect(await ask(tested, usageOf(500, 10), form)).toEqual(usageOf(500, 10));
    const cost = 500n * inputNano + 10n * outputNano;
    expect(charged(tested)).toBe(cost);
    expect(cost).toBeGreaterThan(tested.held[0] ?? cost);
    expect(tested.settled).toEqual([510]);
    expect(eventOf(tested, "request.completed")).toMatchObject({ cost, estimated: false, implausible: false });
    expect(eventOf(tested, "usage.implausible")).toBeUndefined();
  });

  it("is no usage with more than 10^9 tokens, of which the estimate is charged, marked as implausible", async () => {
    const tested = metered();
    const shown = await ask(tested, usageOf(2_000_000_000, 10), form);
    expect(shown.prompt_tokens).toBeLessThan(100);
    expect(charged(tested)).toBeLessThanOrEqual(tested.held[0] ?? 0n);
    expect(eventOf(tested, "request.completed")).toMatchObject({ usage: shown, estimated: true, implausible: true });
    const told = { reported: usageOf(2_000_000_000, 10), charged: shown };
    expect(eventOf(tested, "usage.implausible")).toMatchObject({
      provider: "scripted",
      upstreamModel: "upstream-model",
      ...told,
    });
    const { entries } = tested.balances.entries({ account: "acme", limit: 10 });
    expect(entries.at(-1)?.receipt?.charge).toMatchObject({ basis: "implausible" });
  });

  it("is charged ten times the hold above that, marked as implausible, and subtracted from the token window in proportion", async () => {
    const tested = metered();
    const shown = await ask(tested, usageOf(48_169, 900_000_000), form);
    const cost = 10n * (tested.held[0] ?? 0n);
    expect(charged(tested)).toBe(cost);
    expect(BigInt(shown.completion_tokens) * outputNano).toBeLessThanOrEqual(cost);
    expect(BigInt(shown.completion_tokens + 1) * outputNano).toBeGreaterThan(cost - 1_000n * inputNano);
    expect(tested.settled).toEqual([shown.total_tokens]);
    expect(eventOf(tested, "request.completed")).toMatchObject({
      cost,
      usage: shown,
      estimated: false,
      implausible: true,
    });
    expect(eventOf(tested, "usage.implausible")).toMatchObject({
      account: "acme",
      model: "plain",
      provider: "scripted",
      reported: usageOf(48_169, 900_000_000),
      charged: shown,
    });
    expect(tested.balances.verify()).toEqual([]);
  });

  it("is limited for the token window of a plan without billing", async () => {
    const tested = metered();
    const shown = await ask(tested, usageOf(0, 900_000_000), form, { plan: "subscription" });
    expect(tested.held).toEqual([]);
    expect(shown.total_tokens).toBeLessThan(2_000);
    expect(tested.settled).toEqual([shown.total_tokens]);
    expect(eventOf(tested, "request.completed")).toMatchObject({ cost: 0n, implausible: true });
  });

  it("is limited to ten times the reserved tokens on a free model", async () => {
    const provider = scriptedProvider();
    const targets = [{ provider, model: "upstream-model" }];
    const free = {
      ...metered({ models: [{ id: "plain", maxOutputTokens: 1_000, price: "free", targets }] }),
      provider,
    };
    const shown = await ask(free, usageOf(900_000_000, 1), form);
    expect(free.held).toEqual([0n]);
    expect(shown.total_tokens).toBeGreaterThan(100);
    expect(shown.total_tokens).toBeLessThan(2_000);
    expect(free.settled).toEqual([shown.total_tokens]);
    expect(charged(free)).toBe(0n);
    expect(eventOf(free, "usage.implausible")).toBeDefined();
  });

  it("without output tokens is charged with an estimate of the output", async () => {
    const tested = metered();
    expect(await ask(tested, { prompt_tokens: 500 }, form)).toEqual(usageOf(500, 1));
    expect(charged(tested)).toBe(500n * inputNano + outputNano);
    expect(eventOf(tested, "request.completed")).toMatchObject({ estimated: true });
  });

  it("without prompt tokens is charged with an estimate of the prompt", async () => {
    const tested = metered();
    const { completion_tokens, prompt_tokens } = await ask(tested, { completion_tokens: 500 }, form);
    expect(completion_tokens).toBe(500);
    expect(prompt_tokens).toBeGreaterThan(10);
    expect(charged(tested)).toBe(BigInt(prompt_tokens) * inputNano + 500n * outputNano);
  });

  it.each([
    ["negative", -1, false],
    ["a fraction", 1.5, false],
    ["above 10^9", 1_000_000_001, true],
    ["a text that is not digits", "1e5", false],
  ])("counts as missing if a count is %s: no credit, and at most the hold", async (_, count, implausible) => {
    for (const usage of [
      { prompt_tokens: count, completion_tokens: 1 },
      { prompt_tokens: 1, completion_tokens: count },
    ]) {
      const tested = metered();
      await ask(tested, usage, form);
      expect(charged(tested)).toBeGreaterThan(0n);
      expect(charged(tested)).toBeLessThanOrEqual(tested.held[0] ?? 0n);
      expect(eventOf(tested, "request.completed")).toMatchObject({ estimated: true, implausible });
    }
  });
});

describe("a request with an image", () => {
  const image = { type: "image_url", image_url: { url: "https://pictures.test/1.png" } };
  const messages = [{ role: "user", content: [image] }];

  it("is held at the highest imageTokens of its targets, and charged by the upstream's count", async () => {
    const provider = scriptedProvider();
    const targets = [
      { provider, model: "frugal" },
      { provider, model: "lavish", imageTokens: 48_169 },
    ];
    const price = { input: "1", output: "2" };
    const model = { id: "plain", maxOutputTokens: 1_000, vision: true, imageTokens: 1_445, price, targets };
    const tested = metered({ models: [model] });
    provider.script = { complete: async () => completionOf("Hi", usageOf(48_200, 1)) };
    await tested.chat(await tested.key(), { ...small, messages });
    expect(tested.held[0]).toBeGreaterThan(48_169n * inputNano);
    expect(tested.held[0]).toBeLessThan(48_500n * inputNano);
    expect(charged(tested)).toBe(48_200n * inputNano + outputNano);
  });

  it("is charged by the upstream's count even if it exceeds imageTokens", async () => {
    const provider = scriptedProvider();
    const targets = [{ provider, model: "lavish" }];
    const price = { input: "1", output: "2" };
    const model = { id: "plain", maxOutputTokens: 10_000, vision: true, imageTokens: 100, price, targets };
    const tested = metered({ models: [model] });
    provider.script = { complete: async () => completionOf("Hi", usageOf(48_200, 1)) };
    await tested.chat(await tested.key(), { messages });
    expect(charged(tested)).toBe(48_200n * inputNano + outputNano);
  });
});

it("holds 200,000 tokens for a file if the model has no context window, and otherwise the whole window", async () => {
  const provider = scriptedProvider();
  const targets = [{ provider, model: "reader" }];
  const common = { maxOutputTokens: 1_000, price: { input: "1", output: "2" }, targets };
  const tested = metered({
    models: [
      { ...common, id: "plain" },
      { ...common, id: "windowed", contextWindow: 64_000 },
    ],
  });
  provider.script = { complete: async () => completionOf("Hi", usageOf(950_000, 1)) };
  const file = { type: "file", file: { file_data: `data:text/plain;base64,${"QUFB".repeat(900_000)}` } };
  const body = { ...small, messages: [{ role: "user", content: [file] }] };
  const secret = await tested.key();
  await tested.chat(secret, body);
  expect(tested.held[0]).toBeGreaterThanOrEqual(200_000n * inputNano);
  expect(tested.held[0]).toBeLessThan(200_500n * inputNano);
  expect(charged(tested)).toBe(950_000n * inputNano + outputNano);
  tested.balances.credit({ id: "more", account: "acme", amount: opening, reason: "test" });
  await tested.chat(secret, { ...body, model: "windowed" });
  expect(tested.held[1]).toBe(64_000n * inputNano + 10n * outputNano);
});

describe("a usage that a stream reports before its end", () => {
  const early = { ...content("x".repeat(40)), usage: usageOf(500, 7) };
  const cost = 500n * inputNano + (7n + 10n) * outputNano;

  it("is charged with an estimate of the later output if the upstream fails", async () => {
    const tested = metered();
    tested.provider.script = {
      stream: async function* () {
        yield early;
        yield content("y".repeat(40));
        throw new ProviderError("failed", "died");
      },
    };
    await allEvents(await tested.chat(await tested.key(), { ...small, stream: true }));
    await expect.poll(() => charged(tested)).toBe(cost);
    expect(cost).toBeGreaterThan(tested.held[0] ?? cost);
    expect(eventOf(tested, "request.completed")).toMatchObject({ ending: "upstream_failed", estimated: true });
  });

  it("is the checkpoint of the hold, and is charged if the client disconnects", async () => {
    const tested = metered({ money: { leaseMs: 400, heartbeatMs: 20 } });
    const used: bigint[] = [];
    const { renew } = tested.balances;
    tested.balances.renew = (renewals, leaseMs) => {
      used.push(...renewals.map((renewal) => renewal.used));
      return renew.call(tested.balances, renewals, leaseMs);
    };
    tested.provider.script = {
      stream: async function* ({ signal }) {
        yield early;
        yield content("y".repeat(40));
        await new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const response = await tested.chat(await tested.key(), { ...small, stream: true });
    await expect.poll(() => used.at(-1)).toBe(cost);
    await response.body?.cancel();
    await expect.poll(() => charged(tested)).toBe(cost);
  });

  it("is at most ten times the hold in a checkpoint", async () => {
    const tested = metered({ money: { leaseMs: 400, heartbeatMs: 20 } });
    const used: bigint[] = [];
    const { renew } = tested.balances;
    tested.balances.renew = (renewals, leaseMs) => {
      used.push(...renewals.map((renewal) => renewal.used));
      return renew.call(tested.balances, renewals, leaseMs);
    };
    tested.provider.script = {
      stream: async function* ({ signal }) {
        yield { ...content("x"), usage: usageOf(900_000_000, 7) };
        await new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const response = await tested.chat(await tested.key(), { ...small, stream: true });
    await expect.poll(() => used.at(-1)).toBe(10n * (tested.held[0] ?? 0n));
    await response.body?.cancel();
    await expect.poll(() => charged(tested)).toBe(10n * (tested.held[0] ?? 0n));
    expect(eventOf(tested, "usage.implausible")).toBeDefined();
  });
});
