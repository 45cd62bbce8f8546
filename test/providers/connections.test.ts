import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { completionOf } from "@tollgate/core/provider";
import { afterEach, describe, expect, it } from "vitest";
import {
  callOver,
  canaryKey,
  everythingOf,
  failureOf,
  providerAt,
  providerErrorOf,
  streamOf,
  textOf,
  transports,
} from "./calls.ts";
import { httpUpstream, socketUpstream, type Upstream } from "./upstream.ts";

const open: Upstream[] = [];
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close();
});
const upstreamOf = async (upstream: Promise<Upstream>) => {
  open.push(await upstream);
  return upstream;
};
const sse = { "content-type": "text/event-stream" };
const completion = JSON.stringify({ choices: [{ message: { role: "assistant", content: "Hi" } }] });

describe.each(transports())("connections over %s", (_name, transport) => {
  const complete = (baseURL: string, options = {}) =>
    providerAt(baseURL).complete(callOver(transport, options)).then(completionOf);

  it("reports a name that does not resolve as unreachable", async () => {
    expectClean(await providerErrorOf(complete("http://nope.invalid/v1")), "unreachable");
  });

  it("reports a refused connection as unreachable", async () => {
    const upstream = await upstreamOf(httpUpstream(() => undefined));
    await upstream.close();
    expectClean(await providerErrorOf(complete(upstream.baseURL)), "unreachable");
  });

  it("reports a reset before the response head as unreachable", async () => {
    const upstream = await upstreamOf(socketUpstream((socket) => socket.once("data", () => socket.resetAndDestroy())));
    expectClean(await providerErrorOf(complete(upstream.baseURL)), "unreachable");
  });

  it("reports a TLS handshake with a plain HTTP port as unreachable", async () => {
    const upstream = await upstreamOf(httpUpstream(() => undefined));
    expectClean(await providerErrorOf(complete(upstream.baseURL.replace("http:", "https:"))), "unreachable");
  });

  it("reports a reset inside a body as failed", async () => {
    const upstream = await upstreamOf(
      httpUpstream((_request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "1000" }).write('{"choices":');
        setTimeout(() => response.socket?.resetAndDestroy(), 20);
      }),
    );
    expectClean(await providerErrorOf(complete(upstream.baseURL)), "failed");
  });

  it("delivers the bytes before a reset of a stream, then fails", async () => {
    const upstream = await upstreamOf(
      httpUpstream((_request, response) => {
        response.writeHead(200, sse).write("data: 1\n\n");
        setTimeout(() => response.socket?.resetAndDestroy(), 20);
      }),
    );
    const stream = await streamOf(providerAt(upstream.baseURL).stream(callOver(transport)));
    const received: string[] = [];
    const failure = await new Promise((resolve) => {
      stream.pipeTo({
        write: (chunk) => received.push(new TextDecoder().decode(chunk)),
        close: () => resolve("closed"),
        fail: resolve,
      });
    });
    expect(received.join("")).toBe("data: 1\n\n");
    expect(failure).toMatchObject({ failure: "failed" });
  });

  it("rejects with the signal's reason and closes the connection if aborted before the response head", async () => {
    const upstream = await upstreamOf(httpUpstream(() => undefined));
    const controller = new AbortController();
    const failure = failureOf(complete(upstream.baseURL, { signal: controller.signal }));
    const socket = await firstSocket(upstream);
    await sleep(20);
    const closed = once(socket, "close");
    controller.abort("the client disconnected");
    expect(await failure).toBe("the client disconnected");
    expect(await within(100, closed)).toBe(true);
  });

  it("fails with the signal's reason if aborted inside a body", async () => {
    const upstream = await upstreamOf(
      httpUpstream((_request, response) => response.writeHead(200, sse).write("data: 1\n\n")),
    );
    const controller = new AbortController();
    const stream = await streamOf(
      providerAt(upstream.baseURL).stream(callOver(transport, { signal: controller.signal })),
    );
    const failure = new Promise((resolve) => {
      stream.pipeTo({ write: () => undefined, close: () => resolve("closed"), fail: resolve });
    });
    const socket = await firstSocket(upstream);
    await sleep(20);
    const closed = once(socket, "close");
    controller.abort("the client disconnected");
    expect(await failure).toBe("the client disconnected");
    expect(await within(100, closed)).toBe(true);
  });

  it("sends nothing if the signal is already aborted", async () => {
    const upstream = await upstreamOf(httpUpstream((_request, response) => response.end(completion)));
    expect(await failureOf(complete(upstream.baseURL, { signal: AbortSignal.abort("gone") }))).toBe("gone");
    expect(upstream.connections()).toBe(0);
  });

  it("closes the upstream's connection within 100 ms of a cancel, and does not call the sink again", async () => {
    const upstream = await upstreamOf(
      httpUpstream((_request, response) => response.writeHead(200, sse).write("data: 1\n\n")),
    );
    const stream = await streamOf(providerAt(upstream.baseURL).stream(callOver(transport)));
    const calls: string[] = [];
    const first = new Promise<void>((resolve) => {
      stream.pipeTo({ write: () => resolve(), close: () => calls.push("close"), fail: () => calls.push("fail") });
    });
    const closed = once(await firstSocket(upstream), "close");
    await first;
    stream.cancel();
    expect(await within(100, closed)).toBe(true);
    expect(calls).toEqual([]);
  });

  it("blocks the upstream's writes while the stream is paused, and resumes them", async () => {
    const frame = Buffer.alloc(64 * 1024, 0x20);
    const total = 64 * 1024 * 1024;
    let sent = 0;
    const upstream = await upstreamOf(
      httpUpstream((_request, response) => {
        response.writeHead(200, sse);
        pour(response, () => {
          sent += frame.length;
          return sent <= total ? frame : undefined;
        });
      }),
    );
    const stream = await streamOf(providerAt(upstream.baseURL).stream(callOver(transport)));
    let received = 0;
    const ended = new Promise<void>((resolve, reject) => {
      let pausing = true;
      stream.pipeTo({
        write: (chunk) => {
          received += chunk.length;
          if (pausing) stream.pause();
          pausing = false;
        },
        close: resolve,
        fail: reject,
      });
    });
    await sleep(300);
    const receivedWhilePaused = received;
    await sleep(200);
    expect(received).toBe(receivedWhilePaused);
    expect(received).toBeLessThan(512 * 1024);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
    stream.resume();
    await ended;
    expect(received).toBe(total);
  });

  it("keeps the order of bytes over many pauses", async () => {
    const numbers = Array.from({ length: 5_000 }, (_, index) => `data: ${index}\n\n`);
    const upstream = await upstreamOf(
      httpUpstream((_request, response) => {
        let next = 0;
        pour(response.writeHead(200, sse), () => numbers[next++]);
      }),
    );
    const stream = await streamOf(providerAt(upstream.baseURL).stream(callOver(transport)));
    let text = "";
    let writes = 0;
    await new Promise<void>((resolve, reject) => {
      stream.pipeTo({
        write: (chunk) => {
          text += new TextDecoder().decode(chunk);
          writes += 1;
          stream.pause();
          if (writes % 3 === 0) stream.resume();
          else if (writes % 3 === 1) queueMicrotask(() => stream.resume());
          else setImmediate(() => stream.resume());
        },
        close: resolve,
        fail: reject,
      });
    });
    expect(text).toBe(numbers.join(""));
  });

  it("uses few connections for 1,000 consecutive requests", async () => {
    const upstream = await upstreamOf(
      httpUpstream((request, response) => {
        request.resume().on("end", () => response.setHeader("content-type", "application/json").end(completion));
      }),
    );
    for (let count = 0; count < 1_000; count += 1) await complete(upstream.baseURL);
    expect(upstream.connections()).toBeLessThan(5);
  });

  it("passes on a stream unchanged", async () => {
    const upstream = await upstreamOf(
      httpUpstream((_request, response) => response.writeHead(200, sse).end("data: 1\n\ndata: [DONE]\n\n")),
    );
    expect(await textOf(await streamOf(providerAt(upstream.baseURL).stream(callOver(transport))))).toBe(
      "data: 1\n\ndata: [DONE]\n\n",
    );
  });
});

function expectClean(error: { failure: string }, failure: string): void {
  expect(error.failure).toBe(failure);
  expect(everythingOf(error)).not.toContain(canaryKey);
}

function pour(response: ServerResponse, next: () => string | Buffer | undefined): void {
  for (let piece = next(); piece !== undefined; piece = next()) {
    if (!response.write(piece)) {
      response.once("drain", () => pour(response, next));
      return;
    }
  }
  response.end();
}

async function firstSocket(upstream: Upstream): Promise<Socket> {
  for (;;) {
    const [socket] = upstream.sockets;
    if (socket !== undefined) return socket;
    await sleep(1);
  }
}

const within = (milliseconds: number, event: Promise<unknown>): Promise<boolean> =>
  Promise.race([event.then(() => true), sleep(milliseconds, false)]);
