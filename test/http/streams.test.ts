import { describe, expect, it } from "vitest";
import { untilSteady } from "../../packages/node/test-support/until-steady.ts";
import type { UpstreamCall } from "../upstream/upstream.ts";
import { mountedOnce, mountedPlain } from "./mounts/mounts.ts";
import { prefix, type Scene, setScene } from "./scene.ts";

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
const finish = { ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const usage = { ...head, choices: [], usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 } };

async function openStream(scene: Scene) {
  const client = await scene.connect();
  client.write(scene.chat({ stream: true }));
  return { client, call: await scene.upstream.nextCall() };
}

async function finishStream(call: UpstreamCall): Promise<void> {
  for (const frame of [finish, usage, "[DONE]"]) await call.frame(frame);
  call.end();
}

describe.each(mountedOnce)("$title", ({ mount, variant }) => {
  it("sends a stream frame by frame, with the headers of an event stream", async () => {
    await using scene = await setScene(mount, variant);
    const { client, call } = await openStream(scene);
    for (const content of ["Grü", "ße", "🙂"]) await call.frame(delta(content));
    await finishStream(call);
    const { status, headers, body } = await client.response();
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(headers.has("content-encoding")).toBe(false);
    const frames = [delta("Grü"), delta("ße"), delta("🙂"), finish, usage].map((frame) => ({
      ...frame,
      model: "plain",
    }));
    expect(parseFrames(body)).toEqual([...frames.map((frame) => ({ ...frame, ...idOf(body) })), "[DONE]"]);
  });

  it("passes each frame on before the provider sends the next", async () => {
    await using scene = await setScene(mount, variant);
    const { client, call } = await openStream(scene);
    for (let n = 0; n < 20; n++) {
      await call.frame(delta(`frame ${n}.`));
      await client.until(({ body }) => body.includes(`frame ${n}.`) && body.endsWith("\n\n"));
    }
    await finishStream(call);
    expect((await client.response()).body).toContain("data: [DONE]\n\n");
  });

  it("aborts the provider call at once if the client disconnects before the first byte", async () => {
    await using scene = await setScene(mount, variant);
    const { client, call } = await openStream(scene);
    client.leave();
    // The time limits of the gateway are longer than that of this test.
    await call.closed;
  });

  it("aborts the provider call at once if the client disconnects during the stream", async () => {
    await using scene = await setScene(mount, variant);
    const { client, call } = await openStream(scene);
    await call.frame(delta("one"));
    await client.until(({ body }) => body.includes("one"));
    client.leave();
    // The time limits of the gateway are longer than that of this test.
    await call.closed;
  });

  it("ends with an error frame and without [DONE] if the provider breaks off", async () => {
    await using scene = await setScene(mount, variant);
    const { client, call } = await openStream(scene);
    await call.frame(delta("one"));
    await client.until(({ body }) => body.includes("one"));
    call.die();
    const { body } = await client.response();
    const last = parseFrames(body).at(-1);
    expect(last).toMatchObject({
      model: "plain",
      choices: [{ finish_reason: "error" }],
      error: { type: "upstream_error" },
    });
    expect(body).not.toContain("[DONE]");
  });

  it("returns an error status if the provider breaks off before the first content", async () => {
    await using scene = await setScene(mount, variant);
    const { client, call } = await openStream(scene);
    call.die();
    // The connection failed, so there are two more attempts.
    for (let again = 0; again < 2; again++) (await scene.upstream.nextCall()).die();
    const { status, headers, body } = await client.response();
    expect(status).toBeGreaterThanOrEqual(502);
    expect(headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(body).error.message).not.toContain("127.0.0.1");
  });
});

// Middleware changes nothing of how an adapter waits for its client. These tests send 32 MB each, so that the fetch edge, which
// is the same for all servers, is tested with one of them.
describe.each(
  mountedPlain.filter(({ mount }) => !mount.name.endsWith("fetch edge") || mount.name.startsWith("node:http")),
)("$title", ({ mount, variant }) => {
  it("pauses the provider while the client reads nothing, and delivers everything when it reads again", async () => {
    await using scene = await setScene(mount, variant);
    const { client, call } = await openStream(scene);
    const large = delta("x".repeat(65_536));
    await call.frame(large);
    await client.until(({ body }) => body.includes("xxx"));
    client.stopReading();
    let sent = 0;
    const sending = (async () => {
      for (; sent < 512; sent++) await call.frame(large);
      await finishStream(call);
    })();
    const sentByThen = await untilSteady(() => sent);
    // The unread bytes are in the buffers of two connections and in the gateway's buffer.
    expect(sentByThen * 65_536).toBeLessThan(24 * 1024 * 1024);
    client.readOn();
    await sending;
    expect(await client.countUntil("data: [DONE]\n\n", "xxxx".repeat(16_384))).toBe(513);
  });

  it("disconnects a client that reads nothing for too long, and no other", async () => {
    await using scene = await setScene(mount, variant, { streams: { stalledMs: 300 } });
    const { client, call } = await openStream(scene);
    const large = delta("x".repeat(65_536));
    await call.frame(large);
    await client.until(({ body }) => body.includes("xxx"));
    client.stopReading();
    const sending = (async () => {
      for (let n = 0; n < 512 && !call.hasClosed; n++) await call.frame(large);
    })();
    await call.closed;
    await sending;
    client.readOn();
    await client.closed;
    await expect(client.until(({ body }) => body.includes("[DONE]"))).rejects.toThrow("ended");
    const other = await scene.connect();
    other.write(scene.request("GET", `${prefix}/models`));
    expect((await other.response()).status).toBe(200);
  });
});

const parseFrames = (body: string): unknown[] => {
  expect(body).toMatch(/^(data: [^\n]*\n\n)+$/);
  return body
    .split("\n\n")
    .slice(0, -1)
    .map((frame) => (frame === "data: [DONE]" ? "[DONE]" : JSON.parse(frame.slice(6))));
};

/** Returns the id and time of a stream, which the gateway may choose. */
function idOf(body: string): { id: string; created: number } {
  const [first] = parseFrames(body);
  if (typeof first !== "object" || first === null || !("id" in first) || !("created" in first))
    throw new Error("The first frame has no id.");
  return { id: String(first.id), created: Number(first.created) };
}
