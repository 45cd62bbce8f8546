import { pooledTransport } from "@tollgate/node";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { eventsOf } from "../support/read-stream.ts";
import { chatView } from "./chat-view.ts";
import { late, overloaded } from "./outcome.ts";
import { same } from "./row.ts";
import {
  type Alternative,
  type Form,
  openScene,
  publicModel,
  type Scene,
  secondPieces,
  secondTokens,
} from "./scene.ts";
import { answer, brokenEvents, hang } from "./script.ts";
import { content, contentFrames, event, finish, first, role, usage } from "./upstream-frames.ts";

const forms: readonly Form[] = ["whole", "streamed"];
const transport = pooledTransport();
const scenes: Scene[] = [];
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close();
});

const silent = same("nothing after the role", brokenEvents(event(role(first)), hang), late());
const busy = same("429 with a short wait", answer(429, "", { "retry-after": "1" }), overloaded());

describe("failover to another attempt", () => {
  it("is possible after the status was sent, until content was sent", async () => {
    const scene = await open(silent, "streamed", "a healthy target", { streams: { responseStartTimeoutMs: 100 } });
    const response = await ask(scene, "streamed");
    expect(response.status).toBe(200);
    expect(response.headers.get("x-router-attempts")).toBe("1");
    const source = { id: "up-second", model: publicModel };
    const frames = [...contentFrames(source, secondPieces), usage(source, secondTokens), "[DONE]"];
    expect(await response.text()).toBe(frames.map(event).join(""));
    expect(await posted(scene)).toBe(-(17n * 11_000n + 3n * 13_000n));
  });

  it("is replaced by an error frame if the status was sent and no target is left", async () => {
    const scene = await open(silent, "streamed", "a broken target", { streams: { responseStartTimeoutMs: 100 } });
    const response = await ask(scene, "streamed");
    const events: string[] = [];
    for await (const each of eventsOf(response)) events.push(each);
    expect(response.status).toBe(200);
    expect(events.map((each) => JSON.parse(each).error.code)).toEqual(["upstream_overloaded"]);
    expect(await posted(scene)).toBe(0n);
  });

  it.each(forms)("does not count the backoff towards firstFrameMs of the next attempt, %s", async (form) => {
    const scene = await open({ ...busy, limits: { firstFrameMs: 500 } }, form, "the same target, recovered", {});
    const response = await ask(scene, form);
    await response.text();
    expect([response.status, response.headers.get("x-router-attempts")]).toEqual([200, "2"]);
    expect(scene.first.requests).toHaveLength(2);
  });

  it.each(forms)("does not happen, and nothing is charged, if the client disconnects before it, %s", async (form) => {
    const scene = await open(busy, form, "nothing", {});
    const client = new AbortController();
    const pending = ask(scene, form, client.signal).catch(() => "gone");
    await expect.poll(() => scene.under.events.some(({ type }) => type === "attempt.failed")).toBe(true);
    client.abort();
    expect(await pending).toBe("gone");
    await vi.waitFor(() => expect(scene.under.gateway.inFlight()).toBe(0), { timeout: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(scene.first.requests).toHaveLength(1);
    expect(await posted(scene)).toBe(0n);
  });

  it.each(forms)("does not happen after the gateway has drained, %s", async (form) => {
    const scene = await open(busy, form, "nothing", {});
    const pending = ask(scene, form);
    await expect.poll(() => scene.under.events.some(({ type }) => type === "attempt.failed")).toBe(true);
    await scene.under.gateway.drain({ timeoutMs: 1 });
    const response = await pending;
    expect([response.status, (await response.json()).error.code]).toEqual([503, "draining"]);
    expect(scene.first.requests).toHaveLength(1);
    expect(await posted(scene)).toBe(0n);
  });

  it("is not possible after a finish reason without content, streamed", async () => {
    const script = brokenEvents(event(finish(first)), event(content(first, "")), hang);
    const row = same("a hang after the finish", script, late());
    const scene = await open(row, "streamed", "a healthy target", { upstream: { idleMs: 400, totalMs: 1_600 } });
    const response = await ask(scene, "streamed");
    await response.text();
    expect(scene.second.requests).toHaveLength(0);
  });
});

type Options = NonNullable<Parameters<typeof openScene>[2]>;

async function open(row: typeof silent, form: Form, alternative: Alternative, options: Options): Promise<Scene> {
  const upstream = { firstFrameMs: 600, idleMs: 600 };
  const scene = await openScene({ row, form, alternative }, transport, { upstream, ...options });
  scenes.push(scene);
  onTestFinished(() => vi.waitFor(() => expect(scene.first.busy() + scene.second.busy()).toBe(0), { timeout: 9_000 }));
  return scene;
}

const ask = ({ baseURL, secret }: Scene, form: Form, signal?: AbortSignal): Promise<Response> =>
  fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: chatView.requestBody(form),
    ...(signal === undefined ? {} : { signal }),
  });

/** Returns the charge of the account once nothing is held. */
async function posted({ under }: Scene): Promise<bigint> {
  await expect.poll(async () => (await under.balances.balance("acme")).held).toBe(0n);
  expect(await under.balances.verify()).toEqual([]);
  return (await under.balances.balance("acme")).posted - 1_000_000_000n;
}
