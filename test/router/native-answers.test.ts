import { anthropic } from "@tollgate/anthropic";
import { type GatewayOptions, openaiCompatible } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { scriptedTransport } from "../support/scripted-transport.ts";

const apiKey = "sk-canary-0123456789abcdef-upstream";
const baseURL = "http://gpu-7.models.internal:8443/v1";
const host = "gpu-7.models.internal:8443";
const secretModel = "secret-model-70b";
const openai = openaiCompatible({ name: "openai", baseURL, apiKey, dialects: ["responses", "embeddings"] });
const claude = anthropic({ name: "claude", baseURL, apiKey });

const event = (data: { readonly type?: string; readonly [name: string]: unknown }, name = data.type) =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

const messageUsage = { input_tokens: 10, output_tokens: 5 };
const responseUsage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const response = (status: string, more: object = {}) => ({
  id: "resp_1",
  object: "response",
  status,
  model: secretModel,
  output: [],
  ...more,
});
const message = (more: object = {}) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: secretModel,
  content: [],
  stop_reason: null,
  usage: messageUsage,
  ...more,
});

/** Each native dialect: a request, the frames around its output, and an answer in one piece. */
const dialects = {
  messages: {
    path: "messages",
    body: { max_tokens: 100, messages: [{ role: "user", content: "Hi" }] },
    start: event({ type: "message_start", message: message() }),
    delta: (text: string, more: object = {}) =>
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text }, ...more }),
    end:
      event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: messageUsage }) +
      event({ type: "message_stop" }),
    last: "event: message_stop",
    failed: "event: error",
    json: (text: string, more: object = {}) =>
      message({ content: [{ type: "text", text }], stop_reason: "end_turn", ...more }),
  },
  responses: {
    path: "responses",
    body: { input: "Hi", store: false },
    start: event({ type: "response.created", sequence_number: 0, response: response("in_progress") }),
    delta: (text: string, more: object = {}) =>
      event({
        type: "response.output_text.delta",
        sequence_number: 1,
        item_id: "msg_1",
        output_index: 0,
        content_index: 0,
        delta: text,
        logprobs: [],
        ...more,
      }),
    end: event({
      type: "response.completed",
      sequence_number: 9,
      response: response("completed", { usage: responseUsage }),
    }),
    last: "event: response.completed",
    failed: "event: response.failed",
    json: (text: string, more: object = {}) =>
      response("completed", {
        output: [{ type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text }] }],
        usage: responseUsage,
        ...more,
      }),
  },
} as const;

async function ask(
  path: string,
  body: object,
  pieces: readonly string[],
  { contentType, ...options }: Partial<GatewayOptions> & { readonly contentType?: string } = {},
) {
  const { transport, requests } = scriptedTransport(pieces, contentType);
  const price = { input: "1", output: "2" };
  const model = (id: string, provider: typeof openai) =>
    ({ id, maxOutputTokens: 1_000, price, targets: [{ provider, model: secretModel }] }) as const;
  const { gateway, key, events, balances } = gatewayUnderTest({
    models: [
      model("responses", openai),
      model("messages", claude),
      model("chat", openai),
      { id: "embeddings", kind: "embedding", price, targets: [{ provider: openai, model: secretModel }] },
    ],
    transport,
    routing: { retries: 0 },
    ...options,
  });
  const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify({ model: path, ...body }) };
  const url = `http://gateway.test/router/v1/${path === "chat" ? "chat/completions" : path}`;
  const answered = await gateway.fetch(new Request(url, init));
  const text = await answered.text();
  const { posted } = await balances.balance("acme");
  return { status: answered.status, text, events, requests, charged: 1_000_000_000n - posted };
}

const expectHidden = (text: string) => {
  for (const secret of [apiKey, host, baseURL, secretModel]) expect(text).not.toContain(secret);
};

/** Returns the output in the events of a stream. */
function outputOf(text: string): string {
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  return data
    .map((line) => JSON.parse(line.slice(6)).delta)
    .map((delta) => (typeof delta === "string" ? delta : (delta?.text ?? "")))
    .join("");
}

const leak = `${apiKey} at ${baseURL} with ${secretModel}`;

describe.each(Object.entries(dialects))("a native stream: %s", (_, { path, body, start, delta, end, last, failed }) => {
  const stream = (...pieces: string[]) => ask(path, { ...body, stream: true }, pieces);

  it.each([
    ["an error without a type", event({ error: { message: leak } })],
    ["an error of a type that is not known", event({ type: "upstream.problem", error: { message: leak } })],
    ["an error in a known event", delta("", { error: { message: leak } })],
    ["the detail of FastAPI", event({ detail: leak })],
    ["an error object", event({ object: "error", message: leak })],
    ["an error event with another name", event({ message: leak }, "upstream_error")],
    ["an exception", event({ type: "internalServerException", message: leak })],
    ["a message with a code", event({ type: "notice", code: "overloaded", message: leak })],
    ["an event without a type", event({ text: leak })],
    ["a list of errors", event({ type: "result", success: false, errors: [{ message: leak }] })],
  ])("ends as a failure at %s, charges what was delivered, and shows none of it", async (_title, frame) => {
    const { text, charged } = await stream(start, delta("Hello"), frame, delta("more"), end);
    expect(text).toContain("Hello");
    expect(text).toContain(failed);
    expect(text).not.toContain("more");
    expect(text).not.toContain(last);
    expectHidden(text);
    expect(charged).toBeGreaterThan(0n);
  });

  it("leaves out events of types that are not known, and reports each type once", async () => {
    const unknown = event({ type: "vendor.metrics", text: leak });
    const { text, events } = await stream(start, delta("Hello"), unknown, unknown, end);
    expect(text).toContain("Hello");
    expect(text).toContain(last);
    expect(text).not.toContain("vendor.metrics");
    expectHidden(text);
    expect(events.filter(({ type }) => type === "event.unknown")).toMatchObject([
      { provider: path === "responses" ? "openai" : "claude", upstreamModel: secretModel, eventType: "vendor.metrics" },
    ]);
  });

  it("leaves out foreign members of known events that show the key, the address or the model", async () => {
    const foreign = { x_route: { host: baseURL }, [host]: 1, x_model: secretModel, x_key: [apiKey], x_latency: 12 };
    const { text } = await stream(start, delta("Hello", foreign), end);
    expect(text).toContain('"x_latency":12');
    expect(text).toContain(last);
    expectHidden(text);
  });

  it("never searches the output for the name of the model", async () => {
    const { text } = await stream(start, delta(`I am ${secretModel}.`), delta("bare", { x_latency: 1 }), end);
    expect(text).toContain(`I am ${secretModel}.`);
    expect(text).toContain(last);
  });

  it.each([
    ["the key in one event", [`My key is ${apiKey}.`]],
    ["the key over several events", ["My key is sk-can", "ary-0123", "456789ab", "cdef-upstream."]],
    ["the address over several events", ["Ask gpu-7.mod", "els.internal:84", "43/v1 yourself."]],
    ["an escaped address", ["Ask http:\\u002f\\u002fgpu-7.models.internal:8443"]],
  ])("ends as a failure at %s in the output", async (_title, texts) => {
    const frames = texts.map((text) => delta("@").replace('"@"', `"${text}"`));
    const { text, events } = await stream(start, ...frames, end);
    expectHidden(outputOf(text));
    expect(text).not.toContain(last);
    expect(events.find(({ type }) => type === "attempt.failed")).toMatchObject({ failure: "invalid_response" });
  });

  it("passes an address that the client itself has sent", async () => {
    const asked = path === "messages" ? { messages: [{ role: "user", content: baseURL }] } : { input: baseURL };
    const { text } = await ask(path, { ...body, ...asked, stream: true }, [start, delta(`It is ${baseURL}.`), end]);
    expect(text).toContain(`It is ${baseURL}.`);
    expect(text).toContain(last);
  });
});

describe.each(Object.entries(dialects))("a native answer in one piece: %s", (_, { path, body, json }) => {
  const answer = (value: object) => ask(path, body, [JSON.stringify(value)], { contentType: "application/json" });

  it("leaves out foreign members that show the key, the address or the model", async () => {
    const foreign = { x_route: { host: baseURL }, x_model: secretModel, x_key: [apiKey], x_latency: 12 };
    const { status, text } = await answer(json("Hello", foreign));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ model: path, x_latency: 12 });
    expectHidden(text);
  });

  it("passes the name of the model in the output, but not the key or the address", async () => {
    expect((await answer(json(`I am ${secretModel}.`))).text).toContain(`I am ${secretModel}.`);
    for (const secret of [apiKey, baseURL]) {
      const { status, text } = await answer(json(`It is ${secret}.`));
      expect(status).toBe(502);
      expectHidden(text);
    }
  });

  it.each([
    ["the detail of FastAPI", { detail: leak }],
    ["an error object", { object: "error", message: leak, code: 500 }],
    ["an error beside an answer", json("Hello", { error: { message: leak } })],
    ["a message with a code", { code: 20_012, message: leak, data: null }],
  ])("is a failure for %s", async (_title, value) => {
    const { status, text, charged } = await answer(value);
    expect(status).toBeGreaterThanOrEqual(500);
    expectHidden(text);
    expect(charged).toBe(0n);
  });
});

it("leaves out foreign members of embeddings that show the key, the address or the model", async () => {
  const data = [{ object: "embedding", index: 0, embedding: [0.5] }];
  const vectors = { object: "list", data, model: secretModel, usage: { prompt_tokens: 1, total_tokens: 1 } };
  const foreign = { x_route: baseURL, x_key: apiKey, x_model: secretModel, x_latency: 12 };
  const { text } = await ask("embeddings", { input: "Hi" }, [JSON.stringify({ ...vectors, ...foreign })], {
    contentType: "application/json",
  });
  expect(JSON.parse(text)).toEqual({ ...vectors, model: "embeddings", x_latency: 12 });
});

describe("a stream of chat completions", () => {
  const chunk = (content: string) =>
    event({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    });

  it.each([
    ["the detail of FastAPI", { detail: leak }],
    ["an error object", { object: "error", message: leak, type: "InternalServerError" }],
    ["a message with a code", { code: 20_012, message: leak, data: null }],
    ["the status of MiniMax", { base_resp: { status_code: 1_004, status_msg: leak }, choices: null }],
    ["a list of errors", { success: false, errors: [{ message: leak }] }],
  ])("ends as a failure at %s, also before [DONE]", async (_title, frame) => {
    const pieces = [chunk("Hello"), event(frame), "data: [DONE]\n\n"];
    const body = { messages: [{ role: "user", content: "Hi" }], stream: true };
    const { text } = await ask("chat", body, pieces);
    expect(text).toContain("Hello");
    expect(text).toContain('"finish_reason":"error"');
    expect(text).not.toContain("[DONE]");
    expectHidden(text);
  });

  it.each([
    ["an error without a type", event({ error: { message: leak } })],
    ["the detail of FastAPI", event({ detail: leak })],
    ["an error event with another name", event({ message: leak }, "upstream_error")],
    ["an error in a known event", event({ type: "ping", error: { message: leak } })],
  ])("of a provider with the Messages API ends as a failure at %s", async (_title, frame) => {
    const { start, delta, end } = dialects.messages;
    const body = { model: "messages", messages: [{ role: "user", content: "Hi" }], stream: true };
    const { text } = await ask("chat", body, [start, delta("Hello"), frame, end]);
    expect(text).toContain("Hello");
    expect(text).toContain('"finish_reason":"error"');
    expect(text).not.toContain("[DONE]");
    expectHidden(text);
  });
});
