import { once } from "node:events";
import { createServer } from "node:http";
import { openaiCompatible } from "@tollgate/core";
import { type ChatCompletionChunk, ProviderError } from "@tollgate/core/provider";
import { pooledTransport } from "@tollgate/node";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { allEvents, eventsOf } from "../support/read-stream.ts";
import { chunksOf } from "../support/scripted-provider.ts";

const content = (text: string): ChatCompletionChunk => ({ choices: [{ index: 0, delta: { content: text } }] });
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits for the signal of a call, as an adapter with a silent upstream does. */
const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

describe("a stream", () => {
  it("has the headers, frames, usage and end that clients expect", async () => {
    const { chat, key, provider } = gatewayUnderTest();
    provider.script = { stream: () => chunksOf(["Hel", "lo"]) };
    const response = await chat(await key(), { stream: true });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const events = await allEvents(response);
    expect(events.at(-1)).toBe("[DONE]");
    const frames = events.slice(0, -1).map((event) => JSON.parse(event));
    expect(
      new Set(frames.map(({ id, created, model, object }) => JSON.stringify([id, created, model, object]))).size,
    ).toBe(1);
    expect(frames[0]).toMatchObject({
      model: "plain",
      object: "chat.completion.chunk",
      choices: [{ delta: { role: "assistant" } }],
    });
    expect(
      frames
        .flatMap(({ choices }) => choices.map((choice: { delta: { content?: string } }) => choice.delta.content ?? ""))
        .join(""),
    ).toBe("Hello");
    expect(frames.at(-2)).toMatchObject({ choices: [{ finish_reason: "stop" }] });
    expect(frames.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    });
  });

  it("has no usage frame if the client declines it, or does not request it in on-request mode", async () => {
    const declined = gatewayUnderTest();
    const onRequest = gatewayUnderTest({ streams: { usageFrame: "on-request" } });
    for (const [tested, options, expected] of [
      [declined, { include_usage: false }, false],
      [onRequest, undefined, false],
      [onRequest, { include_usage: true }, true],
    ] as const) {
      tested.provider.script = { stream: () => chunksOf(["Hi"]) };
      const response = await tested.chat(await tested.key(), {
        stream: true,
        ...(options && { stream_options: options }),
      });
      expect((await allEvents(response)).some((event) => event.includes('"usage"'))).toBe(expected);
      expect(tested.provider.calls.at(-1)?.request.stream_options).toEqual({ include_usage: true });
    }
  });

  it("sends each frame before the provider produces the next", async () => {
    const { chat, key, provider } = gatewayUnderTest();
    let produced = 0;
    let allow: () => void = () => undefined;
    provider.script = {
      stream: async function* () {
        for (const word of ["a", "b", "c"]) {
          produced++;
          yield content(word);
          await new Promise<void>((resolve) => {
            allow = resolve;
          });
        }
        yield { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      },
    };
    const events = eventsOf(await chat(await key(), { stream: true }));
    for (let frame = 1; frame <= 3; frame++) {
      expect((await events.next()).value).toContain('"content"');
      expect(produced).toBe(frame);
      allow();
    }
    await events.return(undefined);
  });

  it("has an error status for a failure before the first content, even after a role-only frame", async () => {
    const { chat, key, provider, balances } = gatewayUnderTest();
    provider.script = {
      stream: async function* () {
        yield { choices: [{ index: 0, delta: { role: "assistant", content: "" } }] };
        throw new ProviderError("overloaded", "busy", { retryAfterSeconds: 7 });
      },
    };
    const response = await chat(await key(), { stream: true });
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(balances.balance("acme")).toMatchObject({ posted: 1_000_000_000n, held: 0n });
  });

  it("ends with one error frame and without [DONE] for a failure after the first content", async () => {
    const { chat, key, provider } = gatewayUnderTest();
    provider.script = {
      stream: async function* () {
        yield content("Hel");
        throw new ProviderError("failed", "http://10.0.0.1 died");
      },
    };
    const events = await allEvents(await chat(await key(), { stream: true }));
    const last = JSON.parse(events.at(-1) ?? "");
    expect(events).not.toContain("[DONE]");
    expect(last).toEqual({
      id: JSON.parse(events[0] ?? "").id,
      object: "chat.completion.chunk",
      created: expect.any(Number),
      model: "plain",
      choices: [{ index: 0, delta: {}, finish_reason: "error" }],
      error: { message: expect.any(String), type: "upstream_error", code: "upstream_failed" },
    });
    expect(JSON.stringify(last)).not.toContain("10.0.0.1");
  });

  it("fails if the upstream ends it without finish_reason and [DONE]", async () => {
    const { chat, key, provider } = gatewayUnderTest();
    provider.script = {
      stream: async function* () {
        yield content("Hel");
      },
    };
    const events = await allEvents(await chat(await key(), { stream: true }));
    expect(JSON.parse(events.at(-1) ?? "").choices[0].finish_reason).toBe("error");
  });

  it("sends status 200 after responseStartTimeoutMs, then keep-alive comments, and an error frame at its time limit", async () => {
    const { chat, key, provider } = gatewayUnderTest({
      streams: { responseStartTimeoutMs: 40, keepAliveMs: 40 },
      upstream: { firstFrameMs: 400 },
    });
    provider.script = {
      stream: async function* ({ signal }) {
        await hang(signal);
        yield content("never");
      },
    };
    const response = await chat(await key(), { stream: true });
    expect(response.status).toBe(200);
    const events = await allEvents(response);
    expect(events.filter((event) => event === ": keep-alive").length).toBeGreaterThan(2);
    expect(JSON.parse(events.at(-1) ?? "").error).toMatchObject({ code: "upstream_timeout" });
    expect(provider.calls[0]?.signal.aborted).toBe(true);
  });

  it("ends at idleMs between frames and at totalMs", async () => {
    for (const upstream of [{ idleMs: 60 }, { totalMs: 120 }]) {
      const { chat, key, provider } = gatewayUnderTest({ upstream });
      provider.script = {
        stream: async function* ({ signal }) {
          for (let frame = 0; frame < 3; frame++) {
            yield content("x");
            await pause(25);
          }
          await hang(signal);
        },
      };
      const events = await allEvents(await chat(await key(), { stream: true }));
      expect(JSON.parse(events.at(-1) ?? "").error.code).toBe("upstream_timeout");
    }
  });

  it("is ended with an error frame and settled by a drain", async () => {
    const { chat, key, provider, gateway, balances } = gatewayUnderTest();
    provider.script = {
      stream: async function* ({ signal }) {
        yield content("Hello there");
        await hang(signal);
      },
    };
    const response = await chat(await key(), { stream: true });
    const [events] = await Promise.all([allEvents(response), gateway.drain({ timeoutMs: 30 })]);
    expect(JSON.parse(events.at(-1) ?? "").error).toMatchObject({ code: "draining" });
    expect(gateway.inFlight()).toBe(0);
    expect(balances.balance("acme").held).toBe(0n);
    expect(balances.balance("acme").posted).toBeLessThan(1_000_000_000n);
  });

  it("pauses the provider before one client has more unread bytes than allowed", async () => {
    const { chat, key, provider } = gatewayUnderTest({ streams: { maxBufferedBytesPerStream: 8_192 } });
    let produced = 0;
    provider.script = {
      stream: async function* () {
        for (; produced < 1_000; produced++) {
          yield content("x".repeat(512));
          await pause(0);
        }
      },
    };
    const response = await chat(await key(), { stream: true });
    await pause(150);
    expect(produced).toBeGreaterThan(1);
    expect(produced * 512).toBeLessThan(8_192);
    await response.body?.cancel();
  });

  it("pauses all providers while the unread bytes of all clients reach the limit", async () => {
    const { chat, key, provider, gateway } = gatewayUnderTest({ streams: { maxBufferedBytes: 65_536 } });
    let produced = 0;
    provider.script = {
      stream: async function* () {
        for (let n = 0; n < 20; n++) {
          produced += 1;
          yield content("x".repeat(2_048));
          await pause(1);
        }
        yield { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      },
    };
    const secret = await key();
    const answers = await Promise.all(Array.from({ length: 50 }, () => chat(secret, { stream: true })));
    await pause(300);
    // Each has one buffered frame, and another that its provider produced before it was paused.
    expect(produced * 2_048).toBeLessThan(65_536 + 100 * 2_048);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts.filter((text) => text.endsWith("data: [DONE]\n\n"))).toHaveLength(50);
    expect([produced, gateway.inFlight()]).toEqual([1_000, 0]);
  });

  it("applies the client's backpressure to the provider, and disconnects a client that reads nothing", async () => {
    const { chat, key, provider, balances } = gatewayUnderTest({ streams: { stalledMs: 200 } });
    let produced = 0;
    provider.script = {
      stream: async function* () {
        for (; produced < 10_000; produced++) {
          yield content("x".repeat(4_096));
          await pause(0);
        }
      },
    };
    const response = await chat(await key(), { stream: true });
    await pause(120);
    expect(produced * 4_096).toBeLessThan(262_144);
    await expect.poll(() => provider.calls[0]?.signal.aborted, { timeout: 10_000 }).toBe(true);
    await expect(response.text()).rejects.toThrow();
    expect(balances.balance("acme").held).toBe(0n);
  });
});

describe("an upstream that sends [DONE] and keeps its connection open", () => {
  it("is disconnected after a delay, and the answer does not wait for it", async () => {
    const upstream = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    });
    await once(upstream.listen(0, "127.0.0.1"), "listening");
    const address = upstream.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const provider = openaiCompatible({ baseURL: `http://127.0.0.1:${port}/v1` });
    const closed = once(upstream, "connection").then(([socket]) => once(socket, "close"));
    const transport = pooledTransport();
    const { chat, key } = gatewayUnderTest({
      transport,
      models: [{ id: "plain", maxOutputTokens: 10, price: "free", targets: [{ provider, model: "m" }] }],
    });
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    expect((await allEvents(await chat(await key(), { stream: true }))).at(-1)).toBe("[DONE]");
    expect(isClosed).toBe(false);
    await closed;
    await transport.close();
    upstream.close();
  });
});
