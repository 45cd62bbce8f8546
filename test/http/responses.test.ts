import { describe, expect, it } from "vitest";
import type { UpstreamCall } from "../upstream/upstream.ts";
import { mountedOnce } from "./mounts/mounts.ts";
import { prefix, type Scene, setSceneOf } from "./scene.ts";

const message = {
  type: "message",
  id: "msg_upstream",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Grüße", annotations: [], logprobs: [] }],
};
const reasoning = { type: "reasoning", id: "rs_upstream", summary: [], encrypted_content: "secret" };
const response = (status: string, output: readonly object[] = []) => ({
  id: "resp_upstream",
  object: "response",
  created_at: 1_700_000_000,
  status,
  model: "upstream-model",
  error: null,
  output,
  billing: { payer: "developer" },
  store: false,
  usage: status === "completed" ? { input_tokens: 10, output_tokens: 3, total_tokens: 13 } : null,
});

/** What Codex sends with every request, with a tool of each kind. */
const codex = {
  model: "plain",
  instructions: "You are a coding agent. ".repeat(1_500),
  input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] }],
  tools: [
    {
      type: "function",
      name: "shell",
      description: "Run",
      strict: false,
      parameters: { type: "object", properties: {} },
    },
    { type: "custom", name: "apply_patch", format: { type: "grammar", syntax: "lark", definition: "start: /x/" } },
    { type: "web_search", external_web_access: false },
    { type: "namespace", name: "mcp", description: "Servers", tools: [] },
  ],
  tool_choice: "auto",
  parallel_tool_calls: true,
  reasoning: { summary: "auto" },
  store: false,
  stream: true,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "session-1",
  client_metadata: { installation: "i" },
};
const codexHeaders = {
  originator: "codex_cli_rs",
  session_id: "session-1",
  "openai-beta": "responses=v1",
  version: "1.0",
};

const ask = (scene: Scene, body: object, headers = {}) =>
  scene.request("POST", `${prefix}/responses`, { model: "plain", input: "Hello", ...body }, headers);

async function open(scene: Scene, body: object, headers = {}) {
  const client = await scene.connect();
  client.write(ask(scene, body, headers));
  return { client, call: await scene.upstream.nextCall() };
}

interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly [name: string]: unknown;
}

/** Reads the events of a stream, whose names and numbers it checks. */
function eventsOf(body: string): Event[] {
  const frames = body.split("\n\n").filter((frame) => frame.startsWith("event: "));
  const events = frames.map((frame): Event => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)));
  expect(frames.map((frame) => frame.slice(7, frame.indexOf("\n")))).toEqual(events.map(({ type }) => type));
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
  return events;
}

const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

async function sendStart(call: UpstreamCall, item: object = reasoning): Promise<void> {
  await call.write(event("response.created", { sequence_number: 0, response: response("in_progress") }));
  await call.write(event("response.output_item.added", { sequence_number: 1, output_index: 0, item }));
  const place = { item_id: "msg_upstream", output_index: 1, content_index: 0 };
  await call.write(event("response.output_text.delta", { sequence_number: 2, ...place, delta: "Grüße", logprobs: [] }));
}

describe.each(mountedOnce)("$title", ({ mount, variant }) => {
  it("forwards a request and its answer, under the public model id", async () => {
    await using scene = await setSceneOf(["responses"], mount, variant);
    const { client, call } = await open(scene, { ...codex, stream: false, store: true }, codexHeaders);
    expect(call.url).toBe("/v1/responses");
    expect(call.headers["authorization"]).toBe("Bearer sk-upstream");
    const { tools, reasoning: _, ...rest } = codex;
    const kept = tools.filter(({ type }) => type !== "web_search");
    expect(call.body).toEqual({
      ...rest,
      stream: false,
      tools: kept,
      model: "upstream-model",
      prompt_cache_key: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    call.json(response("completed", [reasoning, message]));
    const { status, headers, body } = await client.response();
    expect([status, headers.get("x-router-dropped")]).toEqual([200, "web_search"]);
    expect(JSON.parse(body)).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      prompt_cache_key: "session-1",
      model: "plain",
      store: false,
      output: [{ id: "rs_upstream" }, message],
    });
    expect(body).not.toMatch(/upstream-model|billing/);
    // The client sends back what it got, and the upstream gets what it made.
    client.write(ask(scene, { input: [...JSON.parse(body).output, { role: "user", content: "Go on" }] }));
    const next = await scene.upstream.nextCall();
    expect(next.body).toMatchObject({ input: [reasoning, message, { role: "user", content: "Go on" }] });
    next.json(response("completed", [message]));
    expect((await client.response()).status).toBe(200);
  });

  it("forwards a stream event by event", async () => {
    await using scene = await setSceneOf(["responses"], mount, variant);
    const { client, call } = await open(scene, { stream: true });
    await sendStart(call);
    await client.until(({ body }) => body.includes("Grüße"));
    await call.write(
      event("response.completed", { sequence_number: 3, response: response("completed", [reasoning, message]) }),
    );
    call.end();
    const { body } = await client.response();
    const events = eventsOf(body);
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.output_item.added",
      "response.output_text.delta",
      "response.completed",
    ]);
    expect(events.at(-1)).toMatchObject({
      response: { model: "plain", usage: { input_tokens: 10 }, output: [{}, message] },
    });
    expect(body).not.toMatch(/upstream-model|billing|"secret"/);
  });

  it.each([
    ["dies", async (call: UpstreamCall) => call.die()],
    ["closes early", async (call: UpstreamCall) => call.end()],
    [
      "reports an error",
      (call: UpstreamCall) =>
        call.write(event("error", { sequence_number: 3, code: "server_error", message: "at 127.0.0.1" })),
    ],
    [
      "reports a failure",
      (call: UpstreamCall) => {
        const failed = { ...response("failed"), error: { code: "server_error", message: "upstream-model" } };
        return call.write(event("response.failed", { sequence_number: 3, response: failed }));
      },
    ],
  ])("ends with its own response.failed if the upstream %s", async (_, end) => {
    await using scene = await setSceneOf(["responses"], mount, variant);
    const { client, call } = await open(scene, { stream: true });
    await sendStart(call);
    await client.until(({ body }) => body.includes("Grüße"));
    await end(call);
    const { body } = await client.response();
    expect(eventsOf(body).at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", model: "plain" },
    });
    expect(body).not.toMatch(/upstream-model|127\.0\.0\.1|response\.completed/);
  });

  it("aborts the upstream at once if the client leaves", async () => {
    await using scene = await setSceneOf(["responses"], mount, variant);
    const { client, call } = await open(scene, { stream: true });
    // An answer with encrypted reasoning would be read on for its usage.
    await sendStart(call, { ...message, content: [] });
    await client.until(({ body }) => body.includes("Grüße"));
    client.leave();
    // The time limits of the gateway are longer than that of this test.
    await call.closed;
  });
});
