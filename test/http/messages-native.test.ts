import { anthropic } from "@tollgate/anthropic";
import type { ModelConfig } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { startUpstream } from "../upstream/upstream.ts";
import type { Mount, Variant } from "./mounts/mount.ts";
import { mountedOnce } from "./mounts/mounts.ts";
import { gatewayBehind, maxBodyBytes, prefix } from "./scene.ts";

const opening = 1_000_000_000n;

/** A host with a model whose target speaks the Messages API, and a client of it. */
async function setScene(mount: Mount, variant: Variant) {
  const upstream = await startUpstream();
  const provider = anthropic({ baseURL: upstream.url, apiKey: "sk-ant-upstream", betas: ["host-beta-2026-01-01"] });
  const claude: ModelConfig = {
    id: "claude",
    maxOutputTokens: 64_000,
    contextWindow: 200_000,
    reasoning: { effortLevels: ["low", "high"], defaultEffort: "low", visible: true },
    price: { input: "1", output: "2", cachedInput: "0.1", cacheWrite: "1.25" },
    targets: [{ provider, model: "claude-upstream" }],
  };
  const tested = gatewayBehind(upstream, "claude", { models: [claude], routing: { retries: 0 } });
  const secret = await tested.key();
  const host = await mount.start({ [prefix]: tested.gateway }, variant);
  const client = new AbortController();
  const postWith = (headers: Readonly<Record<string, string>>, path: string, body: string) =>
    fetch(`http://127.0.0.1:${host.port}${prefix}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      signal: client.signal,
    });
  return {
    ...tested,
    upstream,
    secret,
    postWith,
    post: (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
      postWith({ "x-api-key": secret, ...headers }, path, body),
    get: (path: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`http://127.0.0.1:${host.port}${prefix}${path}`, { headers: { "x-api-key": secret, ...headers } }),
    leave: () => client.abort(),
    completed: () => tested.events.filter(({ type }) => type === "request.completed"),
    async [Symbol.asyncDispose]() {
      await tested.gateway.drain({ timeoutMs: 0 });
      await host.close();
      await upstream.close();
    },
  };
}

const request = (members: object = {}) =>
  JSON.stringify({ model: "claude", max_tokens: 100, messages: [{ role: "user", content: "Hi" }], ...members });

const withBlock = (block: object) => ({ messages: [{ role: "user", content: [block] }] });

const event = (data: { readonly type: string; readonly [name: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const start = (model: string) =>
  event({
    type: "message_start",
    message: { id: "msg_01", type: "message", model, content: [], usage: { input_tokens: 10, output_tokens: 1 } },
  });
const thinking = [
  event({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } }),
  event({ type: "ping" }),
  event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Grüße?" } }),
  event({ type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "EqQBCgIYAhIM" } }),
  event({ type: "content_block_stop", index: 0 }),
].join("");
const end =
  event({
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 7 },
  }) + event({ type: "message_stop" });

describe.each(mountedOnce)("$title", ({ mount, variant }) => {
  it("forwards a request and its answer with every byte but the model", async () => {
    await using scene = await setScene(mount, variant);
    const thought = { type: "thinking", thinking: "Hmm.", signature: "EqQBCgIYAhIM" };
    const messages = [
      { role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }] },
      { role: "assistant", content: [thought, { type: "text", text: "Yes?" }] },
      { role: "user", content: "Go" },
    ];
    const body = request({ messages, thinking: { type: "adaptive" }, unknown_member: { kept: true } });
    const headers = {
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "interleaved-thinking-2025-05-14, context-1m-2025-08-07,fast-mode-2026-02-01",
      "anthropic-dangerous-direct-browser-access": "true",
    };
    const answering = scene.post("/messages?key=tg_1&beta=true&limit=1", body, headers);
    const call = await scene.upstream.nextCall();
    expect(call.url).toBe("/v1/messages?beta=true");
    expect(call.body).toEqual({ ...JSON.parse(body), model: "claude-upstream" });
    expect(call.headers).toMatchObject({
      "x-api-key": "sk-ant-upstream",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "host-beta-2026-01-01,interleaved-thinking-2025-05-14",
    });
    expect(call.headers).not.toHaveProperty("authorization");
    expect(call.headers).not.toHaveProperty("anthropic-dangerous-direct-browser-access");
    const answer = {
      id: "msg_01",
      type: "message",
      role: "assistant",
      model: "claude-upstream",
      content: [thought, { type: "text", text: "Go where?", citations: null }],
      stop_reason: "end_turn",
      stop_details: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 20,
        cache_read_input_tokens: 30,
        output_tokens: 5,
        service_tier: "standard",
      },
    };
    call.json(answer);
    const response = await answering;
    expect([response.status, await response.json()]).toEqual([200, { ...answer, model: "claude" }]);
    const cost = 10n * 1_000n + 20n * 1_250n + 30n * 100n + 5n * 2_000n;
    await expect.poll(scene.completed).toMatchObject([{ ending: "complete", estimated: false, cost }]);
    expect(scene.balances.balance("acme")).toMatchObject({ posted: opening - cost, held: 0n });
  });

  it("forwards a stream byte for byte but for the model", async () => {
    await using scene = await setScene(mount, variant);
    const answering = scene.post("/messages?beta=1", request({ stream: true }));
    const call = await scene.upstream.nextCall();
    expect(call.url).toBe("/v1/messages");
    await call.write(start("claude-upstream") + thinking);
    const response = await answering;
    await call.write(end);
    call.end();
    expect(await response.text()).toBe(start("claude") + thinking + end);
    await expect.poll(scene.completed).toMatchObject([{ ending: "complete", cost: 10n * 1_000n + 7n * 2_000n }]);
  });

  it("ends a stream that is cut off with an error event", async () => {
    await using scene = await setScene(mount, variant);
    const answering = scene.post("/messages", request({ stream: true }));
    const call = await scene.upstream.nextCall();
    await call.write(start("claude-upstream") + thinking);
    const response = await answering;
    call.die();
    const text = await response.text();
    expect(text.startsWith(start("claude") + thinking)).toBe(true);
    expect(text).toContain('event: error\ndata: {"type":"error","error":{"type":"api_error"');
    expect(text).not.toContain("message_stop");
  });

  it("stops at the upstream when the client leaves, and charges for what was delivered", async () => {
    await using scene = await setScene(mount, variant);
    const answering = scene.post("/messages", request({ stream: true }));
    const call = await scene.upstream.nextCall();
    await call.write(start("claude-upstream") + thinking);
    await answering;
    scene.leave();
    await call.closed;
    await expect.poll(scene.completed).toMatchObject([{ ending: "client_gone", estimated: true }]);
    const charged = opening - scene.balances.balance("acme").posted;
    expect(charged).toBeGreaterThanOrEqual(10n * 1_000n + 1n * 2_000n);
    expect(charged).toBeLessThan(10n * 1_000n + 10n * 2_000n);
  });

  it("maps an overloaded upstream to 529, and shows nothing of the upstream", async () => {
    await using scene = await setScene(mount, variant);
    const answering = scene.post("/messages", request());
    const error = { type: "overloaded_error", message: "Overloaded: claude-upstream" };
    (await scene.upstream.nextCall()).json({ type: "error", error, request_id: "req_upstream" }, 529);
    const response = await answering;
    const text = await response.text();
    expect(response.status).toBe(529);
    expect(JSON.parse(text)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
    expect(text).not.toMatch(/claude-upstream|req_upstream|sk-ant/);
  });

  it("leaves out tools and members that cost more than the answer, and names them", async () => {
    await using scene = await setScene(mount, variant);
    const tool = { name: "get_weather", input_schema: { type: "object" } };
    const search = { type: "web_search_20250305", name: "web_search" };
    const edits = [{ type: "clear_tool_uses_20250919" }, { type: "compact_20260112" }];
    const body = request({ tools: [search, tool], context_management: { edits }, tool_choice: { type: "auto" } });
    const answering = scene.post("/messages", body);
    const call = await scene.upstream.nextCall();
    expect(call.body).toMatchObject({
      tools: [tool],
      tool_choice: { type: "auto" },
      context_management: { edits: [edits[0]] },
    });
    call.json({ type: "message", content: [], model: "x", usage: { input_tokens: 1, output_tokens: 1 } });
    expect((await answering).headers.get("x-router-dropped")).toBe("web_search, context_management");
    const forced = await scene.post(
      "/messages",
      request({ tools: [search], tool_choice: { type: "tool", name: "web_search" } }),
    );
    expect([forced.status, await forced.json()]).toMatchObject([400, { error: { type: "invalid_request_error" } }]);
  });

  it.each([
    ["container", { container: "container_1" }],
    ["mcp_servers", { mcp_servers: [{ type: "url", url: "https://mcp.test", name: "m" }] }],
    ["inference_geo", { inference_geo: "us" }],
    ["speed", { speed: "fast" }],
    ["service_tier", { service_tier: "priority" }],
    ["messages.0.content.0.file_id", withBlock({ type: "container_upload", file_id: "file_1" })],
    [
      "messages.0.content.0.source.file_id",
      withBlock({ type: "document", source: { type: "file", file_id: "file_1" } }),
    ],
    ["messages.0.content.0.provider", withBlock({ type: "text", text: "", provider: "x" })],
  ])("refuses %s", async (param, members) => {
    await using scene = await setScene(mount, variant);
    const response = await scene.post("/messages", request(members));
    expect(response.status).toBe(400);
    expect((await response.json()).error.message).toContain(`\`${param}\``);
  });

  it("counts tokens at the upstream, and estimates them if it fails", async () => {
    await using scene = await setScene(mount, variant);
    const body = JSON.stringify({ model: "claude", messages: [{ role: "user", content: "Hi" }] });
    const counting = scene.post("/messages/count_tokens", body);
    const call = await scene.upstream.nextCall();
    expect([call.url, call.body]).toMatchObject(["/v1/messages/count_tokens", { model: "claude-upstream" }]);
    call.json({ input_tokens: 14 });
    const counted = await counting;
    expect([counted.status, await counted.json()]).toEqual([200, { input_tokens: 14 }]);
    expect(counted.headers.get("request-id")).toMatch(/^req_/);
    const failing = scene.post("/messages/count_tokens", body);
    (await scene.upstream.nextCall()).json({ type: "error", error: { type: "not_found_error", message: "" } }, 404);
    expect(await (await failing).json()).toEqual({ input_tokens: expect.any(Number) });
    expect(scene.balances.balance("acme")).toMatchObject({ posted: opening, held: 0n });
    const unknown = await scene.post("/messages/count_tokens", request({ model: "other" }));
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { type: "not_found_error" } }]);
  });

  it("lists models in Anthropic's form for its clients, and in OpenAI's for others", async () => {
    await using scene = await setScene(mount, variant);
    const version = { "anthropic-version": "2023-06-01" };
    const model = { type: "model", id: "claude", display_name: "claude", created_at: expect.stringMatching(/Z$/) };
    const list = await scene.get("/models?limit=1", version);
    expect(await list.json()).toEqual({ data: [model], has_more: false, first_id: "claude", last_id: "claude" });
    expect(list.headers.get("request-id")).toMatch(/^req_/);
    expect(await (await scene.get("/models/claude", version)).json()).toEqual(model);
    const unknown = await scene.get("/models/other", version);
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { type: "error" }]);
    const refused = await scene.get("/models");
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: "missing_api_key" } }]);
  });

  it("accepts the key in either header, and the same key in both", async () => {
    await using scene = await setScene(mount, variant);
    const { secret } = scene;
    const bearer = { authorization: `Bearer ${secret}` };
    const answer = async (headers: Readonly<Record<string, string>>) => {
      const response = await scene.postWith(headers, "/messages", request({ model: "unknown" }));
      return [response.status, await response.json()];
    };
    for (const headers of [{ "x-api-key": secret }, bearer, { "x-api-key": secret, ...bearer }]) {
      expect(await answer(headers)).toMatchObject([404, { type: "error", error: { type: "not_found_error" } }]);
    }
    for (const headers of [{}, { "x-api-key": await scene.key(), ...bearer }, { "x-api-key": "wrong" }]) {
      const error = { type: "authentication_error", message: expect.any(String) };
      expect(await answer(headers)).toEqual([
        401,
        { type: "error", error, request_id: expect.stringMatching(/^req_/) },
      ]);
    }
  });

  it("refuses a body that is too large, or invalid, in Anthropic's form", async () => {
    await using scene = await setScene(mount, variant);
    const large = await scene.post("/messages", request({ system: "x".repeat(maxBodyBytes) }));
    expect([large.status, await large.json()]).toMatchObject([413, { error: { type: "request_too_large" } }]);
    const invalid = await scene.post("/messages", request({ max_tokens: 0 }));
    expect(invalid.headers.get("request-id")).toBe(invalid.headers.get("x-request-id"));
    expect(invalid.headers.get("anthropic-ratelimit-requests-remaining")).toBe("998");
    expect(invalid.headers.get("anthropic-ratelimit-requests-reset")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect([invalid.status, await invalid.json()]).toMatchObject([
      400,
      { type: "error", error: { type: "invalid_request_error", message: "`max_tokens` must be at least 1." } },
    ]);
  });
});
