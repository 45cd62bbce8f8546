import { openaiCompatible } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { startUpstream, type UpstreamCall } from "../upstream/upstream.ts";
import type { Mount, Variant } from "./mounts/mount.ts";
import { mountedOnce } from "./mounts/mounts.ts";
import { gatewayBehind, maxBodyBytes, prefix } from "./scene.ts";

const usage = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };
const cost = 10n * 1_000n + 3n * 2_000n;
const opening = 1_000_000_000n;

/** A host with a model whose target speaks chat completions, and a client of the Messages API. */
async function setScene(mount: Mount, variant: Variant) {
  const upstream = await startUpstream();
  const model = {
    id: "claude",
    maxOutputTokens: 1_000,
    contextWindow: 100_000,
    price: { input: "1", output: "2" },
    targets: [
      { provider: openaiCompatible({ baseURL: upstream.url, apiKey: "sk-upstream" }), model: "upstream-model" },
    ],
  };
  const tested = gatewayBehind(upstream, "claude", { models: [model] });
  const secret = await tested.key();
  const host = await mount.start({ [prefix]: tested.gateway }, variant);
  const client = new AbortController();
  const post = (path: string, body: object, headers: Readonly<Record<string, string>>) =>
    fetch(`http://127.0.0.1:${host.port}${prefix}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", ...headers },
      body: JSON.stringify({ model: "claude", max_tokens: 100, messages: [{ role: "user", content: "Hi" }], ...body }),
      signal: client.signal,
    });
  return {
    ...tested,
    upstream,
    secret,
    post,
    ask: (body: object = {}) => post("/messages?beta=true", body, { "x-api-key": secret }),
    leave: () => client.abort(),
    completed: () => tested.events.filter(({ type }) => type === "request.completed"),
    async [Symbol.asyncDispose]() {
      await tested.gateway.drain({ timeoutMs: 0 });
      await host.close();
      await upstream.close();
    },
  };
}

const chunk = (delta: object, finish: string | null = null) => ({
  id: "chatcmpl-upstream",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

async function finishStream(call: UpstreamCall): Promise<void> {
  for (const frame of [chunk({}, "stop"), { choices: [], usage }, "[DONE]"]) await call.frame(frame);
  call.end();
}

describe.each(mountedOnce)("$title", ({ mount, variant }) => {
  it("translates a request and its answer, and charges for it", async () => {
    await using scene = await setScene(mount, variant);
    const answering = scene.ask({ system: "Be brief.", stop_sequences: ["END"] });
    const call = await scene.upstream.nextCall();
    expect(call.body).toEqual({
      model: "upstream-model",
      max_tokens: 100,
      stop: ["END"],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
      ],
    });
    const message = { role: "assistant", content: "Hello." };
    call.json({ id: "chatcmpl-upstream", choices: [{ index: 0, message, finish_reason: "stop" }], usage });
    const response = await answering;
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: "message",
      role: "assistant",
      model: "claude",
      content: [{ type: "text", text: "Hello." }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 3,
      },
    });
    expect(response.headers.get("request-id")).toBe(response.headers.get("x-request-id"));
    expect(response.headers.get("anthropic-ratelimit-requests-limit")).toBe("1000");
    expect(response.headers.get("anthropic-ratelimit-requests-reset")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    await expect.poll(scene.completed).toMatchObject([{ ending: "complete", estimated: false, cost }]);
    expect(scene.balances.balance("acme")).toMatchObject({ posted: opening - cost, held: 0n });
  });

  it("translates a stream event by event", async () => {
    await using scene = await setScene(mount, variant);
    const answering = scene.ask({ stream: true });
    const call = await scene.upstream.nextCall();
    await call.frame(chunk({ role: "assistant", content: "" }));
    await call.frame(chunk({ content: "Hello" }));
    const response = await answering;
    await finishStream(call);
    const text = await response.text();
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("request-id")).toMatch(/^req_/);
    expect([...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(text).toContain('"usage":{"input_tokens":10,');
    await expect.poll(scene.completed).toMatchObject([{ ending: "complete", cost }]);
  });

  it("ends a stream whose upstream dies with an error event", async () => {
    await using scene = await setScene(mount, variant);
    const answering = scene.ask({ stream: true });
    const call = await scene.upstream.nextCall();
    await call.frame(chunk({ content: "Hello" }));
    const response = await answering;
    call.die();
    const text = await response.text();
    expect(text).toContain("event: content_block_delta\n");
    expect(text).not.toContain("message_stop");
    expect(text).not.toContain("message_delta");
    const last = text.split("\n\n").at(-2) ?? "";
    expect(last).toMatch(/^event: error\ndata: \{"type":"error","error":\{"type":"api_error","message":"/);
  });

  it("stops at the upstream when the client leaves", async () => {
    await using scene = await setScene(mount, variant);
    const answering = scene.ask({ stream: true });
    const call = await scene.upstream.nextCall();
    await call.frame(chunk({ content: "Hello" }));
    await answering;
    scene.leave();
    await call.closed;
    await expect.poll(scene.completed).toMatchObject([{ ending: "client_gone", estimated: true }]);
  });

  it("accepts the key in either header, and the same key in both", async () => {
    await using scene = await setScene(mount, variant);
    const other = await scene.key();
    const { secret } = scene;
    const statuses = async (headers: Readonly<Record<string, string>>) => {
      const response = await scene.post("/messages", { model: "unknown" }, headers);
      return [response.status, await response.json()];
    };
    for (const headers of [
      { "x-api-key": secret },
      { authorization: `Bearer ${secret}` },
      { "x-api-key": secret, authorization: `Bearer ${secret}` },
    ]) {
      expect(await statuses(headers)).toMatchObject([404, { type: "error", error: { type: "not_found_error" } }]);
    }
    for (const headers of [{}, { "x-api-key": other, authorization: `Bearer ${secret}` }, { "x-api-key": "wrong" }]) {
      expect(await statuses(headers)).toEqual([
        401,
        {
          type: "error",
          error: { type: "authentication_error", message: expect.any(String) },
          request_id: expect.stringMatching(/^req_/),
        },
      ]);
    }
  });

  it("refuses a body that is too large, or invalid, in Anthropic's form", async () => {
    await using scene = await setScene(mount, variant);
    const large = await scene.ask({ system: "x".repeat(maxBodyBytes) });
    expect([large.status, await large.json()]).toMatchObject([413, { error: { type: "request_too_large" } }]);
    const invalid = await scene.ask({ max_tokens: 0 });
    expect(invalid.headers.get("request-id")).toMatch(/^req_/);
    expect(invalid.headers.get("anthropic-ratelimit-requests-remaining")).toBe("998");
    expect([invalid.status, await invalid.json()]).toMatchObject([
      400,
      { type: "error", error: { type: "invalid_request_error", message: "`max_tokens` must be at least 1." } },
    ]);
  });
});
