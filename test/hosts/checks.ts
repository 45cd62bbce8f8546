import { setImmediate } from "node:timers/promises";
import type { RequestInit } from "undici";
import { expect } from "vitest";
import { isRecord } from "../support/is-record.ts";
import { eventsOf } from "../support/read-stream.ts";
import { completionOf } from "../support/scripted-provider.ts";
import type { UpstreamCall } from "../upstream/upstream.ts";
import type { Stage } from "./stage.ts";

/** What the suite checks on every host. */
export type CheckId =
  | "explains"
  | "json"
  | "pool"
  | "frames"
  | "abort"
  | "silent abort"
  | "401"
  | "404"
  | "413"
  | "413 while sending"
  | "session";

interface Check {
  readonly id: CheckId;
  readonly title: string;
  check(stage: Stage): Promise<void>;
}

/** The checks, in the order in which they run. */
export const checks: readonly Check[] = [
  { id: "explains", title: "prints which line mounts the gateway where a request missed it", check: explainsMiss },
  { id: "json", title: "answers in JSON", check: answersInJson },
  { id: "pool", title: "sends to the provider with undici", check: sendsWithUndici },
  { id: "frames", title: "passes each frame on before the provider sends the next", check: passesFrames },
  { id: "abort", title: "aborts the provider's stream when a frame finds that the client has left", check: aborts },
  {
    id: "silent abort",
    title: "aborts the provider's stream when the client leaves in silence",
    check: abortsInSilence,
  },
  { id: "401", title: "answers 401 to an unknown key", check: refusesKey },
  { id: "404", title: "answers 404 to an unknown model, and leaves other paths to the host", check: leavesPaths },
  { id: "413", title: "answers 413 to a body of 64 KiB too much", check: (stage) => refusesBody(stage, 64) },
  {
    id: "413 while sending",
    title: "answers 413 to a body of 8 MiB too much",
    check: (stage) => refusesBody(stage, 8_192),
  },
  {
    id: "session",
    title: "creates and updates a session by multipart forms, and answers a message in it",
    check: talks,
  },
];

/** The first check, because a mount that a POST has reached prints nothing. */
async function explainsMiss({ ask, output }: Stage): Promise<void> {
  // Some frameworks load a route when it is first requested.
  expect((await ask("GET", "/router/v1/models")).status).toBe(200);
  expect((await ask("POST", "/elsewhere/v1/chat/completions", "{}")).status).toBe(404);
  await expect.poll(output).toContain('tollgate: POST "/elsewhere/v1/chat/completions" was answered with 404');
  expect(output().split("tollgate: ")).toHaveLength(2);
}

async function answersInJson({ chat, ask, upstream }: Stage): Promise<void> {
  const answering = chat();
  (await upstream.nextCall()).json(completionOf("Hi"));
  const answer = await answering;
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { model: "acme-small", choices: [{ message: { content: "Hi" } }] },
  ]);
  const models = await ask("GET", "/router/v1/models");
  expect([models.status, await models.json()]).toMatchObject([200, { data: [{ id: "acme-small" }] }]);
}

/** `fetch` sends this header, and the pool of undici does not. */
async function sendsWithUndici({ chat, output, upstream }: Stage): Promise<void> {
  const answering = chat();
  const call = await upstream.nextCall();
  call.json(completionOf("Hi"));
  expect((await answering).status).toBe(200);
  expect(call.headers).not.toHaveProperty("sec-fetch-mode");
  expect(output()).not.toContain("sends with fetch");
}

const frames = 5;

async function passesFrames({ chat, upstream }: Stage): Promise<void> {
  const answering = chat({ stream: true });
  const call = await upstream.nextCall();
  await call.frame(delta("frame 0"));
  const answer = await answering;
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  let received = 0;
  for await (const event of eventsOf(answer)) {
    if (event === "[DONE]") break;
    if (!event.includes(`"frame ${received}"`)) continue;
    received += 1;
    if (received < frames) await call.frame(delta(`frame ${received}`));
    else await finish(call);
  }
  expect(received).toBe(frames);
}

async function aborts(stage: Stage): Promise<void> {
  const { call, client } = await openStream(stage);
  client.abort();
  while (!call.hasClosed) {
    await call.frame(delta("more"));
    await setImmediate();
  }
}

async function abortsInSilence(stage: Stage): Promise<void> {
  const { call, client } = await openStream(stage);
  expect(call.hasClosed).toBe(false);
  client.abort();
  await call.closed;
  const early = new AbortController();
  const answering = stage.chat({ stream: true }, { signal: early.signal }).catch(() => undefined);
  const unanswered = await stage.upstream.nextCall();
  early.abort();
  await Promise.all([unanswered.closed, answering]);
}

/** A stream of which the client has received the first frame. */
async function openStream({ chat, upstream }: Stage) {
  const client = new AbortController();
  const answering = chat({ stream: true }, { signal: client.signal });
  const call = await upstream.nextCall();
  await call.frame(delta("one"));
  await (await answering).body?.getReader().read();
  return { call, client };
}

async function refusesKey({ chat }: Stage): Promise<void> {
  const answer = await chat({}, { headers: { authorization: "Bearer acme_wrong" } });
  expect([answer.status, await answer.json()]).toMatchObject([401, { error: { code: "invalid_api_key" } }]);
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
}

async function leavesPaths({ chat, ask }: Stage): Promise<void> {
  const answer = await chat({ model: "unknown" });
  expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: "model_not_found" } }]);
  for (const path of ["/router/v1/unknown", "/assistants/unknown", "/unknown"]) {
    expect([path, (await ask("GET", path)).status]).toEqual([path, 404]);
  }
  const own = await ask("GET", "/");
  expect([own.status, await own.text()]).toEqual([200, expect.stringContaining("The shop")]);
}

/** The examples accept 1 MiB. */
async function refusesBody({ chat }: Stage, kibibytesTooMuch: number): Promise<void> {
  const content = "x".repeat((1_024 + kibibytesTooMuch) * 1_024);
  const answer = await chat({ messages: [{ role: "user", content }] });
  expect([answer.status, await answer.json()]).toMatchObject([413, { error: { code: "payload_too_large" } }]);
}

async function talks({ ask, upstream }: Stage): Promise<void> {
  const creating = await multipart({ assistant_id: "order-desk", client_data: '{"customer":"Änne"}' });
  const created = await ask("POST", "/assistants/session", ...creating);
  const session = await created.json();
  expect([created.status, session]).toMatchObject([201, { client_data: { customer: "Änne" } }]);
  const location = created.headers.get("location") ?? "";
  expect(location).toBe(`/assistants/session/${isRecord(session) ? session["id"] : ""}`);
  const changed = await ask("PUT", location, ...(await multipart({ client_data: '{"order":1234}' })));
  expect([changed.status, await changed.json()]).toMatchObject([200, { client_data: { order: 1234 } }]);
  const json = { headers: { "content-type": "application/json" } };
  const answering = ask("POST", `${location}/messages`, '{"content":"Hello"}', json);
  (await upstream.nextCall()).json(completionOf("Hi"));
  const answer = await answering;
  expect([answer.status, await answer.json()]).toMatchObject([200, { choices: [{ message: { content: "Hi" } }] }]);
}

/** A form as the body of a request. Encoded here, because the client of these tests does not accept a FormData of Node. */
async function multipart(fields: Readonly<Record<string, string>>): Promise<[body: ArrayBuffer, init: RequestInit]> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const encoded = new Response(form);
  return [await encoded.arrayBuffer(), { headers: { "content-type": encoded.headers.get("content-type") ?? "" } }];
}

const head = { id: "1", object: "chat.completion.chunk", created: 1, model: "gpt-5-mini" };
const delta = (content: string) => ({
  ...head,
  choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }],
});

async function finish(call: UpstreamCall): Promise<void> {
  await call.frame({ ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  await call.frame({ ...head, choices: [], usage: { prompt_tokens: 1, completion_tokens: 5, total_tokens: 6 } });
  await call.frame("[DONE]");
  call.end();
}
