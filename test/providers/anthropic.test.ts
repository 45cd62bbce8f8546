import type { IncomingMessage, ServerResponse } from "node:http";
import { anthropic } from "@tollgate/anthropic";
import { fetchTransport } from "@tollgate/core";
import type { ProviderFailure, ProviderStream } from "@tollgate/core/provider";
import { pooledTransport } from "@tollgate/node";
import { afterEach, describe, expect, it } from "vitest";
import { recordedAnswer, recordedError, recordedStream } from "../../packages/anthropic/test-support/recorded.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { callOver, everythingOf, failureOf, providerErrorOf, transports } from "./calls.ts";
import { httpUpstream, type Upstream } from "./upstream.ts";

/** A key that matches no pattern of keys, so it must be removed by value. */
const apiKey = "canary~of~the~host";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A provider whose upstream answers with `answer`. */
async function providerWith(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const upstream: Upstream = await httpUpstream((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => answer(request, response, body));
  });
  closing.push(upstream.close);
  return { upstream, provider: anthropic({ apiKey, baseURL: upstream.baseURL, betas: ["context-1m"] }) };
}

const providerOf = (status: number, text: string, headers: Record<string, string> = {}) =>
  providerWith((_request, response) => response.writeHead(status, headers).end(text));

const json = { "content-type": "application/json" };
const eventStream = { "content-type": "text/event-stream; charset=utf-8" };
const streamed = (call = callOver(fetchTransport())) => ({ ...call, request: { ...call.request, stream: true } });

/** A promise and its resolve function. */
function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

async function chunksOf(stream: ProviderStream): Promise<unknown[]> {
  if (stream.kind === "bytes") throw new Error("The provider returned a stream of bytes.");
  const chunks: unknown[] = [];
  for await (const chunk of stream.chunks) chunks.push(chunk);
  return chunks;
}

describe("anthropic", () => {
  it("rejects arguments of an earlier call that are nested too deeply", async () => {
    const { provider } = await providerOf(200, recordedAnswer("text"), json);
    const depth = 100_000;
    const args = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    const call = { id: "call_0", type: "function" as const, function: { name: "f", arguments: args } };
    const request = { model: "up-model", messages: [{ role: "assistant" as const, tool_calls: [call] }] };
    expect(await providerErrorOf(provider.complete(callOver(fetchTransport(), { request })))).toMatchObject({
      failure: "rejected",
      details: { param: "messages" },
    });
  });

  it("posts the mapped request with its key only in a header", async () => {
    const received: object[] = [];
    const { provider } = await providerWith(({ url, method, headers }, response, body) => {
      received.push({ url, method, headers, body: JSON.parse(body) });
      response.writeHead(200, json).end(recordedAnswer("text"));
    });
    await provider.complete(callOver(fetchTransport()));
    expect(received).toEqual([
      {
        url: "/v1/messages",
        method: "POST",
        headers: expect.objectContaining({
          "x-api-key": apiKey,
          "anthropic-version": "2023-06-01",
          "anthropic-beta": "context-1m",
          "content-type": "application/json",
          "accept-encoding": "identity",
          "x-request-id": "request-1",
        }),
        body: {
          model: "up-model",
          max_tokens: 4_096,
          messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
        },
      },
    ]);
    expect(JSON.stringify(received).split(apiKey)).toHaveLength(2);
  });

  it("sends nothing if the API does not support the request", async () => {
    const { provider, upstream } = await providerOf(200, recordedAnswer("text"), json);
    const call = callOver(fetchTransport());
    const error = await providerErrorOf(provider.complete({ ...call, request: { ...call.request, n: 2 } }));
    expect(error).toMatchObject({ failure: "rejected", details: { param: "n" } });
    expect(upstream.connections()).toBe(0);
  });

  it("accepts JSON instead of a stream and a stream instead of JSON", async () => {
    const whole = await providerOf(200, recordedAnswer("tool-use"), json);
    const chunks = await chunksOf(await whole.provider.stream(streamed()));
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 65 } });
    const pieces = await providerOf(200, recordedStream("thinking"), eventStream);
    expect(await pieces.provider.complete(callOver(fetchTransport()))).toMatchObject({
      choices: [{ message: { content: "12,231.", reasoning_content: "27 * 453 is 12,231." }, finish_reason: "stop" }],
      usage: { completion_tokens_details: { reasoning_tokens: 84 } },
    });
  });

  it.each<[string, number, ProviderFailure, object?]>([
    ["invalid-request", 400, "rejected", { clientMessage: "temperature: range: 0..1" }],
    ["prompt-too-long", 400, "context_length"],
    ["credit", 400, "credentials"],
    ["spend-limit", 400, "credentials"],
    ["authentication", 401, "credentials"],
    ["billing", 402, "credentials"],
    ["permission", 403, "credentials"],
    ["not-found", 404, "credentials"],
    ["conflict", 409, "failed"],
    ["too-large", 413, "too_large"],
    ["rate-limit", 429, "overloaded", { retryAfterSeconds: 17 }],
    ["tier-cap", 429, "credentials"],
    ["internal", 500, "failed"],
    ["timeout", 504, "failed"],
    ["overloaded", 529, "overloaded"],
  ])("classifies the recorded error %s", async (name, status, failure, details = {}) => {
    const headers = { ...json, "request-id": "req_1", ...("retryAfterSeconds" in details && { "retry-after": "17" }) };
    const { provider } = await providerOf(status, recordedError(name), headers);
    for (const pending of [provider.complete(callOver(fetchTransport())), provider.stream(streamed())]) {
      const error = await providerErrorOf(pending);
      expect(error).toMatchObject({ failure, details: { status, ...details } });
      expect(everythingOf(error)).not.toMatch(/2f8a2a1c|req_011/);
    }
  });

  it("removes the key, the host and the upstream's model from the client message", async () => {
    const { provider } = await providerWith(({ headers }, response) => {
      const message = `up-model at ${headers.host} refused ${headers["x-api-key"]}, sorry`;
      response.writeHead(400).end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }));
    });
    const error = await providerErrorOf(provider.complete(callOver(fetchTransport())));
    expect(error.details.clientMessage).toBe("[removed] at [removed] refused [removed], sorry");
    expect(everythingOf(error)).not.toContain(apiKey);
  });

  it.each(transports())(
    "closes the upstream's connection when a stream is aborted, over %s",
    async (_name, transport) => {
      const { promise: closed, resolve: close } = deferred();
      const { provider } = await providerWith((_request, response) => {
        response.on("close", close);
        response.writeHead(200, eventStream).write(recordedStream("failed-after-text").split("event: error")[0]);
      });
      const client = new AbortController();
      const stream = await provider.stream(streamed(callOver(transport, { signal: client.signal })));
      if (stream.kind === "bytes") throw new Error("The provider returned a stream of bytes.");
      const chunks = stream.chunks[Symbol.asyncIterator]();
      await chunks.next();
      await chunks.next();
      const pending = failureOf(Promise.resolve(chunks.next()));
      const reason = new Error("The client disconnected.");
      client.abort(reason);
      expect(await pending).toBe(reason);
      await closed;
    },
  );

  it("rejects with the reason of an abort while it reads an error body", async () => {
    const client = new AbortController();
    const reason = new Error("The client disconnected.");
    const { provider } = await providerWith((_request, response) => {
      response.writeHead(500).write('{"type":');
      setTimeout(() => client.abort(reason), 50);
    });
    const pending = provider.complete(callOver(fetchTransport(), { signal: client.signal }));
    expect(await failureOf(pending)).toBe(reason);
  });

  it("reuses one connection for consecutive streams", async () => {
    const transport = pooledTransport();
    closing.push(() => transport.destroy());
    const { provider, upstream } = await providerWith((_request, response) => {
      response.writeHead(200, eventStream).write(recordedStream("text"));
      setTimeout(() => response.end(), 5);
    });
    for (let asked = 0; asked < 3; asked += 1) {
      expect(await chunksOf(await provider.stream(streamed(callOver(transport))))).toHaveLength(5);
      // undici marks a connection as free one turn of the event loop after its response has ended.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(upstream.connections()).toBe(1);
  });

  it("ends a stream that its upstream does not end, and closes the connection", async () => {
    const transport = pooledTransport();
    closing.push(() => transport.destroy());
    const { promise: closed, resolve: close } = deferred();
    const { provider } = await providerWith((_request, response) => {
      response.on("close", close);
      response.writeHead(200, eventStream).write(recordedStream("text"));
    });
    expect(await chunksOf(await provider.stream(streamed(callOver(transport))))).toHaveLength(5);
    await closed;
  });
});

describe("anthropic in a gateway", () => {
  it("charges cached tokens and cache writes at their prices, in JSON and in a stream", async () => {
    const { provider } = await providerWith((_request, response, body) => {
      const request: { stream?: boolean } = JSON.parse(body);
      if (request.stream === true) response.writeHead(200, eventStream).end(recordedStream("cached"));
      else response.writeHead(200, json).end(recordedAnswer("cached"));
    });
    const price = { input: "3", cachedInput: "0.3", cacheWrite: "3.75", output: "15" };
    const { key, balances, chat } = gatewayUnderTest({
      models: [
        {
          id: "plain",
          maxOutputTokens: 100,
          contextWindow: 8_000,
          price,
          targets: [{ provider, model: "claude-opus-5-5" }],
        },
      ],
    });
    const secret = await key();
    const prompt = 21n * 3_000n + 1_800n * 300n + 248n * 3_750n;
    const before = (await balances.balance("acme")).posted;
    // Long enough for the recorded counts to be plausible.
    const messages = [{ role: "user", content: "word ".repeat(400) }];
    const whole = await chat(secret, { messages });
    expect(await whole.json()).toMatchObject({ model: "plain", usage: { prompt_tokens: 2_069 } });
    const between = (await balances.balance("acme")).posted;
    expect(before - between).toBe(prompt + 15n * 15_000n);
    const text = await (await chat(secret, { messages, stream: true })).text();
    expect(text).toContain('"content":"Yes."');
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(between - (await balances.balance("acme")).posted).toBe(prompt + 5n * 15_000n);
  });
});
