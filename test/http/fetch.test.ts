import { type Gateway, GatewayError } from "@tollgate/core";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { honoApp } from "./mounts/hono-mount.ts";
import { gatewayBehind, maxBodyBytes, prefix } from "./scene.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

const ways: readonly { title: string; mount: (gateway: Gateway) => Fetch }[] = [
  { title: "the gateway's own fetch", mount: (gateway) => (request) => gateway.fetch(request) },
  { title: "Hono without a server", mount: (gateway) => honoApp({ [prefix]: gateway }, "plain").fetch },
  { title: "Hono behind middleware", mount: (gateway) => honoApp({ [prefix]: gateway }, "middleware").fetch },
  { title: "Hono after a parser", mount: (gateway) => honoApp({ [prefix]: gateway }, "parsed").fetch },
  {
    title: "a Hono app inside another",
    mount: (gateway) => new Hono().route("/", honoApp({ [prefix]: gateway }, "plain")).fetch,
  },
];

const head = {
  id: "chatcmpl-upstream",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "upstream-model",
};
const delta = (content: string) => ({
  ...head,
  choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }],
});

async function setFetchScene(mount: (gateway: Gateway) => Fetch) {
  const upstream = await startUpstream();
  const { gateway, key } = gatewayBehind(upstream);
  const fetch = mount(gateway);
  const authorization = `Bearer ${await key()}`;
  return {
    upstream,
    get: async (path: string) => fetch(new Request(`http://host.test${path}`, { headers: { authorization } })),
    post: async (body: string, init: RequestInit = {}) =>
      fetch(
        new Request(`http://host.test${prefix}/chat/completions`, {
          method: "POST",
          headers: { authorization },
          body,
          ...init,
        }),
      ),
    [Symbol.asyncDispose]: () => upstream.close(),
  };
}

const chat = (members: object = {}) =>
  JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }], ...members });

describe.each(ways)("$title", ({ mount }) => {
  it("returns a completion and the list of models", async () => {
    await using scene = await setFetchScene(mount);
    const answer = scene.post(chat());
    (await scene.upstream.nextCall()).json(completionOf("Hi"));
    expect(await (await answer).json()).toMatchObject({ model: "plain", choices: [{ message: { content: "Hi" } }] });
    const models = await scene.get(`${prefix}/models`);
    expect(models.status).toBe(200);
    expect(models.headers.get("x-request-id")).toMatch(/^req_/);
  });

  it("passes each frame on before the provider sends the next", async () => {
    await using scene = await setFetchScene(mount);
    const answering = scene.post(chat({ stream: true }));
    const call = await scene.upstream.nextCall();
    await call.frame(delta("frame 0."));
    const { body } = await answering;
    if (body === null) throw new Error("The response has no body.");
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (let n = 1; n <= 20; n++) {
      expect(decoder.decode((await reader.read()).value)).toContain(`frame ${n - 1}.`);
      await call.frame(delta(`frame ${n}.`));
    }
    await reader.cancel();
  });

  it("aborts the provider call when the reader cancels", async () => {
    await using scene = await setFetchScene(mount);
    const answering = scene.post(chat({ stream: true }));
    const call = await scene.upstream.nextCall();
    await call.frame(delta("one"));
    const { body } = await answering;
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();
    // The time limits of the gateway are longer than that of this test.
    await call.closed;
  });

  it("aborts the provider call when the request is aborted", async () => {
    await using scene = await setFetchScene(mount);
    const client = new AbortController();
    const answering = scene.post(chat({ stream: true }), { signal: client.signal });
    const call = await scene.upstream.nextCall();
    client.abort();
    // The time limits of the gateway are longer than that of this test.
    await call.closed;
    await answering.catch(() => undefined);
  });

  it("rejects a body that is too large and one that is not JSON", async () => {
    await using scene = await setFetchScene(mount);
    expect((await scene.post(chat({ user: "x".repeat(maxBodyBytes) }))).status).toBe(413);
    expect((await scene.post('{"model":')).status).toBe(400);
  });

  it("returns 404 for an unknown path and 405 for another method", async () => {
    await using scene = await setFetchScene(mount);
    expect((await scene.get(`${prefix}/unknown`)).status).toBe(404);
    expect((await scene.get(`${prefix}/models/plain`)).status).toBe(200);
    expect((await scene.get(`${prefix}/models/acme%2Funknown`)).status).toBe(404);
    const wrong = await scene.get(`${prefix}/chat/completions`);
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

describe("fetch without a next handler", () => {
  const base = "http://host.test";

  it("answers an unknown path in JSON, and names the base path if the path is outside of it", async () => {
    const { gateway } = gatewayUnderTest({ basePath: "/llm" });
    const inside = await (await gateway.fetch(new Request(`${base}/llm/completions`))).json();
    expect(inside.error).toMatchObject({ type: "not_found_error", code: "unknown_endpoint" });
    expect(inside.error.message).toContain("The endpoints are /models, /models/{id}, /chat/completions, ");
    for (const path of ["/v1/models", "/llm", "/"]) {
      const answer = await gateway.fetch(new Request(`${base}${path}`));
      const { error } = await answer.json();
      expect([answer.status, error.code]).toEqual([404, "unknown_endpoint"]);
      expect(error.message).toMatch(
        /^This path is outside the gateway, which is mounted at \/llm\. .* The endpoints are \/llm\/models,/,
      );
    }
  });

  it("uses the base path that the host passes, and names it", async () => {
    const { gateway, key } = gatewayUnderTest({ basePath: "/llm" });
    const headers = { authorization: `Bearer ${await key()}` };
    const ask = async (path: string) => gateway.fetch(new Request(`${base}${path}`, { headers }), { basePath: "/v2" });
    expect((await ask("/v2/models")).status).toBe(200);
    expect((await (await ask("/llm/models")).json()).error.message).toContain(
      "outside the gateway, which is mounted at /v2",
    );
  });

  it("reports a body that a parser of the host rejected after the checks that precede the body", async () => {
    const { gateway, key } = gatewayUnderTest();
    const refusal = new GatewayError(
      "payload_too_large",
      "The request body is larger than 5 bytes. Send a smaller body.",
    );
    const ask = async (secret: string) => {
      const init = { method: "POST", body: "{}", headers: { authorization: `Bearer ${secret}` } };
      const answer = await gateway.fetch(new Request(`${base}/router/v1/chat/completions`, init), { refusal });
      return [answer.status, (await answer.json()).error.code];
    };
    expect(await ask(await key())).toEqual([413, "payload_too_large"]);
    expect(await ask("unknown")).toEqual([401, "invalid_api_key"]);
  });

  it("answers an unknown path of the sessions in JSON", async () => {
    const answer = await sessionsUnderTest().sessions.fetch(new Request(`${base}/sessions`));
    const { error } = await answer.json();
    expect([answer.status, error.type, error.code]).toEqual([404, "not_found_error", "unknown_endpoint"]);
    expect(error.message).toContain("/session/{id}/messages");
  });
});
