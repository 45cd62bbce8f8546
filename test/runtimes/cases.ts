import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "vitest";
import { allEvents, eventsOf } from "../support/read-stream.ts";
import { completionOf } from "../support/scripted-provider.ts";
import type { Upstream, UpstreamCall } from "../upstream/upstream.ts";
import { maxBodyBytes, prefix, secret } from "./hosts/smoke-gateway.ts";

/** A mounted gateway in a runtime, and its upstream. */
export interface Scene {
  /** The origin of the server. The router is at the prefix, the session endpoints at the root. */
  readonly origin: string;
  readonly upstream: Upstream;
  /** True: the runtime notices that a client has left when the next frame is written. */
  readonly noticesLeavingLate: boolean;
}

/** What every mount must do in every runtime. `label` is its column in the table. */
export interface Case {
  readonly label: string;
  readonly title: string;
  run(scene: Scene): Promise<void>;
}

/** The cases, which are the same for every runtime and every mount. */
export const cases: readonly Case[] = [
  {
    label: "JSON",
    title: "answers a chat completion in JSON",
    async run(scene) {
      const answering = post(scene, `${prefix}/chat/completions`, chat());
      const call = await scene.upstream.nextCall();
      expect(call.body).toMatchObject({ model: "upstream-model", messages: [{ role: "user", content: "Grüße 🙂" }] });
      call.json(completionOf("Grüße 🙂"));
      const response = await answering;
      expect(response.status).toBe(200);
      expect(response.headers.get("x-request-id")).toMatch(/^req_/);
      expect(await response.json()).toMatchObject({
        model: "plain",
        choices: [{ message: { content: "Grüße 🙂" }, finish_reason: "stop" }],
      });
    },
  },
  {
    label: "stream",
    title: "passes each frame of a stream on before the next one is sent",
    async run(scene) {
      const answering = post(scene, `${prefix}/chat/completions`, chat({ stream: true }));
      const call = await scene.upstream.nextCall();
      await call.frame(delta("frame 0"));
      const response = await answering;
      expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
      const events = eventsOf(response);
      for (let n = 1; n <= 5; n++) {
        expect(contentOf((await events.next()).value)).toBe(`frame ${n - 1}`);
        await call.frame(delta(`frame ${n}`));
      }
      await endStream(call);
      const rest: unknown[] = [];
      for await (const event of events) rest.push(event);
      expect(rest.slice(1)).toEqual([
        expect.stringContaining('"finish_reason":"stop"'),
        expect.stringContaining('"prompt_tokens":10'),
        "[DONE]",
      ]);
    },
  },
  {
    label: "abort",
    title: "ends the call of the provider when the client leaves a stream",
    async run(scene) {
      const client = new AbortController();
      const answering = post(scene, `${prefix}/chat/completions`, chat({ stream: true }), { signal: client.signal });
      const call = await scene.upstream.nextCall();
      await call.frame(delta("one"));
      await eventsOf(await answering).next();
      expect(call.hasClosed).toBe(false);
      client.abort();
      if (scene.noticesLeavingLate) await sendUntilClosed(call);
      await call.closed;
    },
  },
  {
    label: "time limit",
    title: "ends a stream whose provider is silent for too long with an error",
    async run(scene) {
      const { call, response } = await stalls(scene);
      expect(await allEvents(response)).toEqual([
        expect.stringContaining("one"),
        expect.stringContaining("upstream_timeout"),
      ]);
      await call.closed;
    },
  },
  {
    label: "401",
    title: "refuses a missing and an unknown key with 401",
    async run(scene) {
      const missing = await post(scene, `${prefix}/chat/completions`, chat(), { headers: { authorization: "" } });
      expect([missing.status, await errorOf(missing)]).toEqual([
        401,
        { type: "authentication_error", code: "missing_api_key" },
      ]);
      const unknown = { headers: { authorization: "Bearer tg_unknown" } };
      const refused = await post(scene, `${prefix}/chat/completions`, chat(), unknown);
      expect([refused.status, await errorOf(refused)]).toEqual([
        401,
        { type: "authentication_error", code: "invalid_api_key" },
      ]);
    },
  },
  {
    label: "404",
    title: "refuses an unknown model with 404",
    async run(scene) {
      const refused = await post(scene, `${prefix}/chat/completions`, chat({ model: "unknown" }));
      expect([refused.status, await errorOf(refused)]).toEqual([
        404,
        { type: "not_found_error", code: "model_not_found" },
      ]);
    },
  },
  {
    label: "413",
    title: "refuses a body that is too large with 413",
    async run(scene) {
      const refused = await post(scene, `${prefix}/chat/completions`, chat({ user: "x".repeat(maxBodyBytes) }));
      expect([refused.status, await errorOf(refused)]).toEqual([
        413,
        { type: "invalid_request_error", code: "payload_too_large" },
      ]);
    },
  },
  {
    label: "session",
    title: "creates a session by multipart and answers its message",
    async run(scene) {
      const form = new FormData();
      form.append("assistant_id", "support");
      form.append("client_data", '{"name":"Zoë"}');
      const created = await fetch(`${scene.origin}/session`, {
        method: "POST",
        headers: { authorization },
        body: form,
      });
      expect(created.status).toBe(201);
      const session = await created.json();
      expect(session).toMatchObject({ assistant_id: "support", client_data: { name: "Zoë" } });
      const answering = post(scene, `/session/${session.id}/messages`, { content: "Hello" });
      (await scene.upstream.nextCall()).json(completionOf("Hello, Zoë."));
      const answer = await answering;
      expect(answer.status).toBe(200);
      expect(JSON.stringify(await answer.json())).toContain("Hello, Zoë.");
    },
  },
  {
    label: "Messages",
    title: "answers a request of the Messages API as a stream",
    async run(scene) {
      const request = { model: "plain", max_tokens: 100, stream: true, messages: [{ role: "user", content: "Hello" }] };
      const answering = post(scene, `${prefix}/messages`, request);
      const call = await scene.upstream.nextCall();
      await call.frame(delta("Hello."));
      await endStream(call);
      const events: string[] = [];
      for await (const event of eventsOf(await answering)) events.push(/^event: (\w+)/.exec(event)?.[1] ?? event);
      expect(events).toEqual([
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
      ]);
    },
  },
  {
    label: "Responses",
    title: "answers a request of the Responses API",
    async run(scene) {
      const answering = post(scene, `${prefix}/responses`, { model: "plain", input: "Hello" });
      (await scene.upstream.nextCall()).json(completionOf("Hello."));
      const response = await answering;
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({
        object: "response",
        status: "completed",
        output: [{ type: "message", content: [{ type: "output_text", text: "Hello." }] }],
      });
    },
  },
];

/** Opens a stream whose upstream sends one frame and then nothing, from a model that waits 300 ms. */
export async function stalls(scene: Scene) {
  const request = chat({ model: "impatient", stream: true });
  const answering = post(scene, `${prefix}/chat/completions`, request);
  const call = await scene.upstream.nextCall();
  await call.frame(delta("one"));
  return { call, response: await answering };
}

const authorization = `Bearer ${secret}`;

const chat = (members: object = {}) => ({
  model: "plain",
  messages: [{ role: "user", content: "Grüße 🙂" }],
  ...members,
});

/** Sends JSON with the key of the suite. */
export function post({ origin }: Scene, path: string, body: object, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization, "content-type": "application/json", ...init.headers };
  return fetch(`${origin}${path}`, { method: "POST", body: JSON.stringify(body), ...init, headers });
}

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "upstream-model" };
const delta = (content: string) => ({ ...head, choices: [{ index: 0, delta: { content }, finish_reason: null }] });

async function endStream(call: UpstreamCall): Promise<void> {
  await call.frame({ ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  await call.frame({ ...head, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
  await call.frame("[DONE]");
  call.end();
}

/** Sends a frame in each turn of the event loop. */
async function sendUntilClosed(call: UpstreamCall): Promise<void> {
  while (!call.hasClosed) {
    await call.frame(delta("more"));
    await nextTurn();
  }
}

const contentOf = (event: string): unknown => JSON.parse(event).choices[0].delta.content;

/** The type and code of an error, which also has a message. */
async function errorOf(response: Response): Promise<object> {
  const { error } = await response.json();
  expect(error.message).toEqual(expect.any(String));
  return { type: error.type, code: error.code };
}
