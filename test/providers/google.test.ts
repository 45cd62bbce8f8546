import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { ChatCompletionChunk, ProviderFailure } from "@tollgate/core/provider";
import { google } from "@tollgate/google";
import { afterEach, describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { callOver, canaryKey, everythingOf, providerErrorOf, transports } from "./calls.ts";
import { httpUpstream, type Upstream } from "./upstream.ts";

const fixture = (path: string) =>
  readFileSync(new URL(`../../packages/google/fixtures/${path}`, import.meta.url), "utf8");

const opened: Upstream[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

/** A provider whose upstream answers with `answer`. */
async function providerOver(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const upstream = await httpUpstream(answer);
  opened.push(upstream);
  return { upstream, provider: google({ baseURL: new URL(upstream.baseURL).origin, apiKey: canaryKey }) };
}

const answering = (body: string, contentType = "application/json", status = 200) =>
  providerOver((_request, response) => response.writeHead(status, { "content-type": contentType }).end(body));

async function chunksOf(
  provider: Awaited<ReturnType<typeof providerOver>>["provider"],
  call: ReturnType<typeof callOver>,
) {
  const stream = await provider.stream(call);
  const chunks: ChatCompletionChunk[] = [];
  if (stream.kind === "chunks") for await (const chunk of stream.chunks) chunks.push(chunk);
  return chunks;
}

const failures: readonly [name: string, status: number, failure: ProviderFailure, details: object][] = [
  ["api-key-invalid", 400, "credentials", {}],
  ["api-key-expired", 400, "credentials", {}],
  ["location", 400, "credentials", {}],
  ["unknown-field", 400, "rejected", { param: "tools[0].function_declarations[0].parameters" }],
  ["context-length", 400, "context_length", {}],
  ["missing-signature", 400, "rejected", {}],
  ["permission", 403, "credentials", {}],
  ["model-not-found", 404, "credentials", {}],
  ["quota", 429, "overloaded", { retryAfterSeconds: 34 }],
  ["list", 429, "overloaded", {}],
  ["internal", 500, "failed", {}],
  ["overloaded", 503, "overloaded", {}],
  ["deadline", 504, "failed", {}],
];

describe.each(transports())("google over %s", (_name, transport) => {
  it.each(failures)("classifies the error %s", async (name, status, failure, details) => {
    const { provider } = await answering(fixture(`errors/${name}.json`), "application/json", status);
    for (const ask of [provider.complete(callOver(transport)), provider.stream(callOver(transport))]) {
      const error = await providerErrorOf(ask);
      expect(error).toMatchObject({ failure, details: { status, ...details } });
      expect(everythingOf(error)).not.toContain(canaryKey);
    }
  });

  it("classifies an error with a successful status", async () => {
    const { provider } = await answering(fixture("errors/quota.json"));
    const whole = await providerErrorOf(provider.complete(callOver(transport)));
    expect(whole).toMatchObject({ failure: "overloaded", details: { retryAfterSeconds: 34 } });
    const streamed = await providerErrorOf(chunksOf(provider, callOver(transport)));
    expect(streamed).toMatchObject({ failure: "overloaded", details: { retryAfterSeconds: 34 } });
  });

  it("classifies an array of errors with a successful status", async () => {
    const { provider } = await answering(fixture("errors/list.json"));
    expect((await providerErrorOf(provider.complete(callOver(transport)))).failure).toBe("overloaded");
    expect((await providerErrorOf(chunksOf(provider, callOver(transport)))).failure).toBe("overloaded");
  });

  it("sends nothing if the API does not support the request, and names the field", async () => {
    const { provider, upstream } = await answering(fixture("answers/text.json"));
    const messages = [{ role: "user" as const, content: "Hello" }];
    const request = { model: "up-model", messages, logit_bias: { "1": 2 } };
    const error = await providerErrorOf(provider.complete(callOver(transport, { request })));
    expect(error).toMatchObject({ failure: "rejected", details: { param: "logit_bias" } });
    expect(upstream.connections()).toBe(0);
  });

  it("rejects with the reason of an abort while it reads an error body", async () => {
    const client = new AbortController();
    const { provider } = await providerOver((_request, response) => {
      response.writeHead(500, { "content-type": "application/json" }).write("{");
      setTimeout(() => client.abort(new Error("The client disconnected.")), 50);
    });
    const call = callOver(transport, { signal: client.signal, cancellation: client.signal });
    await expect(provider.complete(call)).rejects.toThrow("The client disconnected.");
  });

  it("puts the model into the path and the key only into its header", async () => {
    const received: IncomingMessage[] = [];
    const { provider } = await providerOver((request, response) => {
      received.push(request);
      response.writeHead(200, { "content-type": "application/json" }).end(fixture("answers/text.json"));
    });
    await provider.complete(callOver(transport));
    await chunksOf(provider, callOver(transport));
    expect(received.map(({ url }) => url)).toEqual([
      "/v1beta/models/up-model:generateContent",
      "/v1beta/models/up-model:streamGenerateContent?alt=sse",
    ]);
    for (const { headers } of received) {
      expect(headers).toMatchObject({ "x-goog-api-key": canaryKey, "content-type": "application/json" });
      expect(headers).not.toHaveProperty("authorization");
    }
  });

  it("requests an event stream at a base URL with a query", async () => {
    const received: (string | undefined)[] = [];
    const upstream = await httpUpstream((request, response) => {
      received.push(request.url);
      response.writeHead(200, { "content-type": "text/event-stream" }).end(fixture("streams/text.sse"));
    });
    opened.push(upstream);
    const baseURL = `${new URL(upstream.baseURL).origin}/?tenant=blue`;
    await chunksOf(google({ baseURL, apiKey: canaryKey }), callOver(transport));
    expect(received).toEqual(["/v1beta/models/up-model:streamGenerateContent?alt=sse&tenant=blue"]);
  });

  it("accepts a stream that is a JSON array", async () => {
    const frames = fixture("streams/text.sse").match(/(?<=^data: ).*/gm) ?? [];
    const asEvents = await answering(fixture("streams/text.sse"), "text/event-stream");
    const asList = await answering(`[${frames.join(",\r\n")}]`);
    expect(await chunksOf(asList.provider, callOver(transport))).toEqual(
      await chunksOf(asEvents.provider, callOver(transport)),
    );
  });

  it("accepts a stream for a request without streaming", async () => {
    const { provider } = await answering(fixture("streams/tool-calls.sse"), "text/event-stream");
    const streamed = await provider.complete(callOver(transport));
    const whole = await (await answering(fixture("answers/tool-calls.json"))).provider.complete(callOver(transport));
    expect(streamed).toEqual(whole);
    const cut = await answering(fixture("streams/tool-calls.sse").slice(0, 600), "text/event-stream");
    expect((await providerErrorOf(cut.provider.complete(callOver(transport)))).failure).toBe("invalid_response");
  });

  it("rejects a request that is nested too deeply, and a response that is", async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    const part = `{"functionCall":{"name":"f","args":${deep}}}`;
    const { provider } = await answering(`{"candidates":[{"content":{"parts":[${part}]},"finishReason":"STOP"}]}`);
    expect((await providerErrorOf(provider.complete(callOver(transport)))).failure).toBe("invalid_response");
    const tools = [{ type: "function" as const, function: { name: "f", parameters: JSON.parse(`{"items":${deep}}`) } }];
    const request = { model: "up-model", messages: [{ role: "user" as const, content: "Hello" }], tools };
    expect((await providerErrorOf(provider.complete(callOver(transport, { request })))).failure).toBe("rejected");
  });

  it("closes the connection to Google when a call is aborted during its stream", async () => {
    const [first = ""] = fixture("streams/text.sse").split(/(?<=\r\n\r\n)/);
    const answers: ServerResponse[] = [];
    const { provider } = await providerOver((_request, response) => {
      answers.push(response);
      response.writeHead(200, { "content-type": "text/event-stream" }).write(first);
    });
    const client = new AbortController();
    const call = callOver(transport, { signal: client.signal, cancellation: client.signal });
    const stream = await provider.stream(call);
    if (stream.kind !== "chunks") throw new Error("The provider returned a stream of bytes.");
    const chunks = stream.chunks[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toMatchObject({ choices: [{ delta: { content: "Bern is the " } }] });
    const closed = Promise.all(answers.map((answer) => once(answer, "close")));
    const next = chunks.next();
    client.abort(new Error("The client disconnected."));
    await expect(next).rejects.toThrow("The client disconnected.");
    await closed;
    expect(answers).toHaveLength(1);
  });
});

describe("google behind a gateway", () => {
  it("receives its thought signatures back from a client that sends the history unchanged", async () => {
    const bodies: string[] = [];
    const { provider } = await providerOver(async (request, response) => {
      bodies.push(await text(request));
      response.writeHead(200, { "content-type": "application/json" });
      response.end(fixture(bodies.length === 1 ? "answers/tool-calls.json" : "answers/text.json"));
    });
    const price = { input: "1", output: "2" };
    const targets = [{ provider, model: "gemini-3-flash-preview" }];
    const { key, chat } = gatewayUnderTest({ models: [{ id: "plain", maxOutputTokens: 1_000, price, targets }] });
    const secret = await key();
    const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }];
    const question = { role: "user", content: "What is the weather?" };
    const answer = await (await chat(secret, { model: "plain", messages: [question], tools })).json();
    const { message } = answer.choices[0];
    const results = message.tool_calls.map(({ id }: { id: string }) => ({
      role: "tool",
      tool_call_id: id,
      content: "Sunny",
    }));
    const last = await chat(secret, { model: "plain", messages: [question, message, ...results], tools });
    expect(await last.json()).toMatchObject({
      model: "plain",
      choices: [{ message: { content: "Bern is the capital of Switzerland." }, finish_reason: "stop" }],
      usage: { prompt_tokens: 9, completion_tokens: 49 },
    });
    expect(JSON.parse(bodies[1] ?? "").contents[1].parts).toEqual([
      { text: "One moment." },
      {
        functionCall: { id: "function-call-6601", name: "get_weather", args: { city: "Zürich", days: 2 } },
        thoughtSignature: "CqgBAb4+9vvTestSignatureOfThoughts/With+Base64==",
      },
      { functionCall: { id: "function-call-6602", name: "get_weather", args: { city: "Bern" } } },
    ]);
  });
});
