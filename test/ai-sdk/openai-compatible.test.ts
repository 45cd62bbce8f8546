import type { IncomingMessage, ServerResponse } from "node:http";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { aiSdk } from "@tollgate/ai-sdk";
import type { GatewayEvent, ProviderAdapter, ProviderFailure } from "@tollgate/core";
import { afterEach, describe, expect, it } from "vitest";
import { httpUpstream, type Upstream } from "../providers/upstream.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { allEvents, eventsOf } from "../support/read-stream.ts";

const canaryKey = "sk-canary-4f9a1c77e2b84d10";
const open: Upstream[] = [];
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close();
});

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A gateway whose only provider is the AI SDK's own for upstreams of OpenAI's shape, at a server of the test. */
async function gatewayAt(answer: Answer) {
  const bodies: Record<string, unknown>[] = [];
  const heads: IncomingMessage["headers"][] = [];
  const upstream = await httpUpstream(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    bodies.push(JSON.parse(body));
    heads.push(request.headers);
    answer(request, response, body);
  });
  open.push(upstream);
  const sdk = createOpenAICompatible({
    name: "up",
    baseURL: upstream.baseURL,
    apiKey: canaryKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  return { ...(await gatewayOver(aiSdk(sdk, { secrets: [canaryKey] }))), bodies, heads, upstream };
}

async function gatewayOver(provider: ProviderAdapter) {
  const under = gatewayUnderTest({
    plans: [{ id: "prepaid", billing: "prepaid", features: ["tools", "image_url", "response_format"] }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        contextWindow: 8_000,
        vision: true,
        price: { input: "1", output: "2" },
        targets: [{ provider, model: "up-model" }],
      },
    ],
  });
  const key = await under.key();
  return { chat: (body: object, init?: RequestInit) => under.chat(key, body, init), events: under.events };
}

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
const frame = (response: ServerResponse, value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`);
const streamHead = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const choice = (delta: object, reason: string | null = null) => ({
  id: "c-1",
  created: 5,
  model: "up-model",
  choices: [{ index: 0, delta, finish_reason: reason }],
});
const usage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
};
const completion = {
  id: "c-1",
  created: 5,
  model: "up-model",
  choices: [
    { index: 0, message: { role: "assistant", content: "Hello", reasoning_content: "Hm." }, finish_reason: "stop" },
  ],
  usage,
};
const tools = [{ type: "function", function: { name: "find", parameters: { type: "object" } } }];

/** The failures that the host hears of. */
const failuresOf = (events: readonly GatewayEvent[]) =>
  events.flatMap((event) => (event.type === "attempt.failed" ? [event.failure] : []));

describe("the AI SDK's provider for OpenAI's shape, behind the gateway", () => {
  it("answers a completion, and gets the request that the client sent", async () => {
    const { chat, bodies, heads } = await gatewayAt((_request, response) => json(response, completion));
    const history = [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] },
      { role: "assistant", content: null, tool_calls: [callOf("t-1", '{"a":1}')] },
      { role: "tool", tool_call_id: "t-1", content: "found" },
    ];
    const settings = { temperature: 0.5, top_p: 0.5, stop: ["x"], seed: 7, max_tokens: 50 };
    const format = { type: "json_schema", json_schema: { name: "who", schema: { type: "object" }, strict: true } };
    const body = { messages: history, tools, tool_choice: "auto", response_format: format, ...settings };
    const response = await chat(body, { headers: { "x-request-id": "request-9" } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ...completion, model: "plain" });
    expect(bodies).toMatchObject([{ ...body, model: "up-model" }]);
    expect(heads[0]).toMatchObject({ authorization: `Bearer ${canaryKey}`, "x-request-id": "request-9" });
  });

  it("streams text, reasoning and usage", async () => {
    const { chat, bodies } = await gatewayAt((_request, response) => {
      streamHead(response);
      frame(response, choice({ role: "assistant", reasoning_content: "Hm." }));
      for (const content of ["Hel", "lo"]) frame(response, choice({ content }));
      frame(response, choice({}, "stop"));
      frame(response, { ...choice({}), choices: [], usage });
      response.end("data: [DONE]\n\n");
    });
    const events = await allEvents(await chat({ stream: true }));
    expect(events.at(-1)).toBe("[DONE]");
    const frames = events.slice(0, -1).map((event) => JSON.parse(event));
    expect(frames.map((each) => each.choices[0]?.delta)).toEqual([
      { role: "assistant", reasoning_content: "Hm." },
      { content: "Hel" },
      { content: "lo" },
      {},
      undefined,
    ]);
    expect(frames.at(-1)).toMatchObject({ id: "c-1", created: 5, model: "plain", choices: [], usage });
    expect(bodies[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("answers with tool calls, whole and streamed", async () => {
    const { chat } = await gatewayAt((_request, response, body) => {
      const asked: { stream?: boolean } = JSON.parse(body);
      const calls = [callOf("t-1", '{"a":1}'), callOf("t-2", "{}")];
      if (asked.stream !== true) {
        const message = { role: "assistant", content: null, tool_calls: calls };
        json(response, { ...completion, choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
        return;
      }
      streamHead(response);
      for (const [index, call] of calls.entries()) {
        const { name, arguments: given } = call.function;
        const cut = Math.ceil(given.length / 2);
        const start = { index, id: call.id, type: "function", function: { name, arguments: given.slice(0, cut) } };
        frame(response, choice({ tool_calls: [start] }));
        frame(response, choice({ tool_calls: [{ index, function: { arguments: given.slice(cut) } }] }));
      }
      frame(response, choice({}, "tool_calls"));
      response.end("data: [DONE]\n\n");
    });
    const whole = await (await chat({ tools })).json();
    expect(whole.choices).toMatchObject([
      { message: { tool_calls: [callOf("t-1", '{"a":1}'), callOf("t-2", "{}")] }, finish_reason: "tool_calls" },
    ]);
    const events = (await allEvents(await chat({ tools, stream: true })))
      .slice(0, -1)
      .map((event) => JSON.parse(event));
    const choices = events.flatMap((event) => event.choices);
    expect(choices.at(-1)).toMatchObject({ finish_reason: "tool_calls" });
    expect([0, 1].map((index) => joined(choices, index))).toEqual(['t-1 find {"a":1}', "t-2 find {}"]);
  });

  it.each<[name: string, status: number, body: unknown, failure: ProviderFailure, answered: number]>([
    ["400", 400, { error: { message: "seed is bad" } }, "rejected", 400],
    ["400 about the context", 400, { error: { message: "x", code: "context_length_exceeded" } }, "context_length", 400],
    ["401", 401, { error: { message: `Incorrect API key provided: ${canaryKey}` } }, "credentials", 502],
    ["404", 404, { error: { message: "no such model up-model" } }, "credentials", 502],
    ["429", 429, { error: { message: "slow down" } }, "overloaded", 503],
    ["500", 500, "<html>edge-17.example.com</html>", "failed", 502],
    ["503 without a body", 503, "", "overloaded", 503],
    ["200 with HTML", 200, "<html>edge-17.example.com</html>", "invalid_response", 502],
    ["200 of another shape", 200, { answer: "Hello" }, "invalid_response", 502],
    ["200 with an error", 200, { error: { message: "x", type: "rate_limit_error" } }, "overloaded", 503],
    ["an empty answer", 200, "", "invalid_response", 502],
  ])("sorts %s, in one piece and as a stream", async (_name, status, body, failure, answered) => {
    let asked = 0;
    const { chat, events, upstream } = await gatewayAt((_request, response) => {
      asked += 1;
      response.setHeader("retry-after", "7");
      if (typeof body === "string") response.writeHead(status, { "content-type": "text/html" }).end(body);
      else json(response, body, status);
    });
    for (const stream of [false, true]) {
      events.length = 0;
      const response = await chat({ stream });
      // An event stream has no place for a body that is none, so the SDK reads such a one as an empty stream.
      const empty = stream && status === 200;
      expect([stream, response.status]).toEqual([stream, empty ? 502 : answered]);
      if (status === 429) expect(response.headers.get("retry-after")).toBe("7");
      const text = await response.text();
      const hidden = [canaryKey, "up-model", "edge-17", new URL(upstream.baseURL).host];
      for (const each of hidden) expect(text).not.toContain(each);
      expect(failuresOf(events)).toEqual([empty ? "invalid_response" : failure]);
      expect(String(events.map((event) => Object.values(event)))).not.toContain(canaryKey);
    }
    expect(asked).toBe(2);
  });

  it("sorts an error frame before any content by its own code", async () => {
    const { chat, events } = await gatewayAt((_request, response) => {
      streamHead(response);
      frame(response, { error: { message: `at ${canaryKey}`, code: "rate_limit_exceeded" } });
      response.end();
    });
    expect((await chat({ stream: true })).status).toBe(503);
    expect(failuresOf(events)).toEqual(["overloaded"]);
  });

  it.each([
    [
      "an error frame",
      (response: ServerResponse) => response.end('data: {"error":{"message":"x"}}\n\n'),
      "upstream_failed",
    ],
    ["a connection that breaks", (response: ServerResponse) => response.destroy(), "upstream_failed"],
    ["an end without a finish_reason", (response: ServerResponse) => response.end(), "upstream_invalid_response"],
  ])("tells of %s after content in a last frame, without [DONE]", async (_name, end, code) => {
    const { chat } = await gatewayAt((_request, response) => {
      streamHead(response);
      frame(response, choice({ content: "Hel" }));
      setTimeout(() => end(response), 20);
    });
    const events = await allEvents(await chat({ stream: true }));
    expect(JSON.parse(events.at(-1) ?? "")).toMatchObject({
      choices: [{ finish_reason: "error" }],
      error: { code },
    });
  });

  it("tells of an upstream that is not there, without its address", async () => {
    const { chat, events, upstream } = await gatewayAt(() => undefined);
    await upstream.close();
    const response = await chat({});
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("127.0.0.1");
    expect(failuresOf(events)).toEqual(["unreachable"]);
  });

  it("closes the connection to the upstream when the client goes", async () => {
    let closed = 0;
    const { chat } = await gatewayAt((_request, response) => {
      response.on("close", () => {
        closed += 1;
      });
      streamHead(response);
      frame(response, choice({ content: "Hel" }));
    });
    const events = eventsOf(await chat({ stream: true }));
    await events.next();
    await events.return(undefined);
    await expect.poll(() => closed, { timeout: 10_000 }).toBe(1);
  });
});

const callOf = (id: string, given: string) => ({
  id,
  type: "function" as const,
  function: { name: "find", arguments: given },
});

interface StreamedChoice {
  readonly delta: { readonly tool_calls?: readonly StreamedPiece[] };
}

interface StreamedPiece {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

function joined(choices: readonly StreamedChoice[], index: number): string {
  const pieces = choices.flatMap(({ delta }) => delta.tool_calls ?? []).filter((piece) => piece.index === index);
  const [first] = pieces;
  return `${first?.id} ${first?.function?.name} ${pieces.map((piece) => piece.function?.arguments).join("")}`;
}
