import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measureClientGone } from "./load/client-gone.ts";
import { runClosedLoop } from "./load/closed-loop.ts";
import { Connection, type Outcome } from "./load/connection.ts";
import { encodeRequest, encodeRequests } from "./load/request.ts";
import { type MockUpstream, startMockUpstream } from "./upstream/mock-upstream.ts";
import { readStats } from "./upstream/stats.ts";

let upstream: MockUpstream;
beforeAll(async () => {
  upstream = await startMockUpstream();
});
afterAll(() => upstream.close());

const target = () => ({ port: upstream.port, base: "/v1", headers: {}, modelPrefix: "" });

describe("the mock provider", () => {
  it("answers fetch with a JSON completion of 600 bytes", async () => {
    const answer = await ask("json");
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toHaveLength(600);
    expect(JSON.parse(text)).toMatchObject({ object: "chat.completion", usage: { total_tokens: 99 } });
  });

  it("answers with calls of tools where the model's name asks for them", async () => {
    const answer = JSON.parse(await (await ask("public-json-toolcalls")).text());
    expect(answer.choices).toMatchObject([{ finish_reason: "tool_calls", message: { content: null } }]);
    expect(answer.choices[0].message.tool_calls).toHaveLength(2);
  });

  it("streams the content frames, each of 188 bytes, then usage and [DONE]", async () => {
    const events = (await (await ask("sse-6-1")).text()).split(/(?<=\n\n)/);
    expect(events).toHaveLength(8);
    expect(events[1]).toHaveLength(188);
    expect(events.slice(0, 6).map((event) => JSON.parse(event.slice(6)).choices.length)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(JSON.parse(events[6]?.slice(6) ?? "")).toMatchObject({ choices: [], usage: { completion_tokens: 200 } });
    expect(events[7]).toBe("data: [DONE]\n\n");
  });

  it("takes a chunked body, and answers again on the same connection", async () => {
    const statuses = [await askChunked(), await askChunked()];
    expect(statuses).toEqual([200, 200]);
  });

  it("waits for a request that comes in pieces, and answers two that come at once in their order", async () => {
    const bytes = Buffer.concat([encodeRequest(target(), "json-5"), encodeRequest(target(), "sse-1-1")]);
    const text = await exchangeInPieces(bytes, 7);
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(text.indexOf("chat.completion.chunk")).toBeGreaterThan(text.indexOf("fp_x"));
  });

  it("shows content and then nothing more of a held stream", async () => {
    const body = (await ask("sse-held")).body;
    const reader = body?.getReader();
    const begun = new TextDecoder().decode((await reader?.read())?.value);
    expect(begun).toContain('"role":"assistant"');
    expect(begun).toContain('"content":" token"');
    const more = await Promise.race([reader?.read(), new Promise((resolve) => setTimeout(resolve, 50, "nothing"))]);
    expect(more).toBe("nothing");
    await reader?.cancel();
  });

  it("counts a stream as aborted only when its client left early", async () => {
    const before = await readStats(upstream.port);
    await (await ask("sse-3-1")).text();
    const leaver = new Connection(upstream.port, () => leaver.close());
    leaver.send(encodeRequest(target(), "sse-100-5"), () => {});
    await expect.poll(async () => (await readStats(upstream.port)).aborted).toBe(before.aborted + 1);
    const after = await readStats(upstream.port);
    expect(after.completed).toBe(before.completed + 1);
    expect(after.streams).toBe(before.streams + 2);
  });
});

describe("the load", () => {
  it("has a request with the key of each account of its target, or one if the target has no accounts", () => {
    const keys = ["k-1", "k-2", "k-3"].map((apiKey) => ({
      ...target(),
      apiKeys: ["k-1", "k-2", "k-3"],
      headers: { Authorization: `Bearer ${apiKey}` },
    }));
    const [first] = keys;
    if (first === undefined) throw new Error("There is no target.");
    expect(encodeRequests(first, "json", "short", 2)).toEqual(
      keys.slice(0, 2).map((each) => encodeRequest(each, "json")),
    );
    expect(encodeRequests(target(), "json", "short", 2)).toEqual([encodeRequest(target(), "json")]);
  });

  it("counts every frame of every stream that the provider sent", async () => {
    const before = await readStats(upstream.port);
    const result = await runClosedLoop(
      {
        kind: "closed-loop",
        target: target(),
        reply: "sse-10-1",
        connections: 4,
        warmUpRequests: 4,
        warmUpSeconds: 0,
        seconds: 0.2,
      },
      () => 0,
    );
    expect(result.errors).toBe(0);
    expect(result.requests).toBeGreaterThan(4);
    expect(result.frames).toBeGreaterThanOrEqual((result.requests - 4) * 12);
    const after = await readStats(upstream.port);
    expect(after.frames - before.frames).toBeGreaterThanOrEqual(result.frames);
    expect(after.requests - before.requests).toBeGreaterThanOrEqual(result.requests + 4);
  });

  it.each([
    ["short", 2, 0, 0.3],
    ["tools5", 2, 5, 2],
    ["agent20", 37, 12, 20],
    ["agent200", 203, 20, 200],
  ] as const)("asks in the shape %s with %i messages and %i tools", (shape, messages, tools, kilobytes) => {
    const bytes = encodeRequest(target(), "json", shape);
    const body = bytes.subarray(bytes.indexOf("\r\n\r\n") + 4);
    const request = JSON.parse(body.toString());
    expect(request.messages).toHaveLength(messages);
    expect(request.tools ?? []).toHaveLength(tools);
    expect(Math.abs(body.length / 1000 / kilobytes - 1)).toBeLessThan(0.15);
  });

  it("gives the frames, status and times of one answer", async () => {
    const outcome = await sendOnce("sse-5-10-30");
    expect(outcome).toMatchObject({ ok: true, status: 200, frames: 7 });
    expect(outcome.firstByteMs).toBeGreaterThan(28);
    // The end is due 80 ms after the request, however late the first byte was seen.
    expect(outcome.totalMs).toBeGreaterThan(Math.max(70, outcome.firstByteMs));
  });

  it("calls a connection that breaks in mid-stream a failure", async () => {
    const failing = await startMockUpstream();
    const outcome = new Promise<Outcome>((resolve) => {
      const connection = new Connection(failing.port, () => void failing.close());
      connection.send(encodeRequest(target(), "sse-100-5"), resolve);
    });
    expect(await outcome).toMatchObject({ ok: false, status: 200 });
  });

  it("sees the upstream notice each client that leaves, in every phase", async () => {
    for (const phase of ["before-first-byte", "mid-stream", "json"] as const) {
      const load = { kind: "client-gone", target: target(), upstreamPort: upstream.port, phase, samples: 2 } as const;
      for (const delay of await measureClientGone(load)) {
        expect(delay).toBeGreaterThan(0);
        expect(delay).toBeLessThan(500);
      }
    }
  });
});

function ask(model: string): Promise<Response> {
  const body = JSON.stringify({ model, messages: [] });
  return fetch(`http://127.0.0.1:${upstream.port}/v1/chat/completions`, { method: "POST", body });
}

function askChunked(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port: upstream.port, host: "127.0.0.1", method: "POST", path: "/" }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    outgoing.on("error", reject);
    outgoing.write('{"model":');
    outgoing.end('"json"}');
  });
}

function exchangeInPieces(bytes: Buffer, size: number): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(upstream.port, "127.0.0.1", () => {
      for (let at = 0; at < bytes.length; at += size) setImmediate(() => socket.write(bytes.subarray(at, at + size)));
    });
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      text += chunk.toString();
      if (!text.endsWith("0\r\n\r\n")) return;
      socket.destroy();
      resolve(text);
    });
  });
}

function sendOnce(reply: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const connection = new Connection(upstream.port);
    connection.send(encodeRequest(target(), reply), (outcome) => {
      connection.close();
      resolve(outcome);
    });
  });
}
