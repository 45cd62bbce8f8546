import type { WebhookMethod } from "@tollgate/assistants";
import { webhookRunner } from "@tollgate/node";
import { describe, expect, it, vi } from "vitest";
import { openSocketTarget, openTarget } from "./open-target.ts";
import { runCall, textOf } from "./run-call.ts";

const methods: readonly WebhookMethod[] = ["GET", "POST", "PUT", "DELETE"];

/** A target that sends each answer once and repeats the last one, and counts requests. */
async function openScript(...answers: readonly (readonly [status: number, headers?: Record<string, string>])[]) {
  const requests = vi.fn<(key: string | undefined) => void>();
  const port = await openTarget((request, response) => {
    const [status = 200, headers = {}] = answers[Math.min(requests.mock.calls.length, answers.length - 1)] ?? [];
    requests(request.headers["idempotency-key"]?.toString());
    response.writeHead(status, headers).end(`${status}`);
  });
  const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
  return { requests, run: (more = {}) => runCall(runner, `http://127.0.0.1:${port}/`, more) };
}

describe("a GET", () => {
  it.each([408, 429, 502, 503, 504])("that was answered with %i is retried once", async (status) => {
    const { requests, run } = await openScript([status], [200]);
    const result = await run();
    expect(result).toMatchObject({ kind: "answered", status: 200 });
    expect(result.attempts.map((each) => each.status)).toEqual([status, 200]);
    expect(requests).toHaveBeenCalledTimes(2);
  });

  it("is sent at most twice", async () => {
    const { requests, run } = await openScript([503]);
    expect(await run()).toMatchObject({ kind: "answered", status: 503 });
    expect(requests).toHaveBeenCalledTimes(2);
  });

  it.each([200, 301, 400, 404, 500, 501])("that was answered with %i is not retried", async (status) => {
    const { requests, run } = await openScript([status]);
    expect(await run()).toMatchObject({ kind: "answered", status });
    expect(requests).toHaveBeenCalledTimes(1);
  });

  it("waits for Retry-After", async () => {
    const { run } = await openScript([503, { "retry-after": "2" }], [200]);
    const start = performance.now();
    expect(await run()).toMatchObject({ status: 200 });
    expect(performance.now() - start).toBeGreaterThan(1_900);
  });

  it.each(["3600", new Date(Date.now() + 3_600_000).toUTCString()])(
    "is not retried if Retry-After exceeds the remaining time: %s",
    async (wait) => {
      const { requests, run } = await openScript([429, { "retry-after": wait }], [200]);
      expect(await run()).toMatchObject({ kind: "answered", status: 429 });
      expect(requests).toHaveBeenCalledTimes(1);
    },
  );

  it("whose connection broke is retried once", async () => {
    const connections = vi.fn();
    const port = await openSocketTarget((socket) => {
      connections();
      socket.once("data", () => socket.destroy());
    });
    const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
    const result = await runCall(runner, `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ failure: "connect_error", certainty: "failed" });
    expect(result.attempts.map(({ failure }) => failure)).toEqual(["connect_error", "connect_error"]);
    expect(connections).toHaveBeenCalledTimes(2);
  });

  it("that is cancelled while it waits for its retry ends", async () => {
    const controller = new AbortController();
    const port = await openTarget((_, response) => {
      response.on("finish", () => setTimeout(() => controller.abort(), 50));
      response.writeHead(503, { "retry-after": "10" }).end();
    });
    const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
    const result = await runCall(runner, `http://127.0.0.1:${port}/`, { signal: controller.signal });
    expect(result).toMatchObject({ failure: "cancelled", certainty: "failed" });
  });
});

describe("any method", () => {
  it.each(methods)("%s is retried once if nothing was sent", async (method) => {
    const received = vi.fn();
    const port = await openTarget((request, response) => {
      received(request.method);
      response.end("here");
    });
    const answers = [[], ["127.0.0.1"]];
    const lookup = async () => answers.shift() ?? [];
    const runner = webhookRunner({ allowedTargets: [`late.test:${port}`], lookup });
    const result = await runCall(runner, `http://late.test:${port}/`, { method });
    expect(textOf(result)).toBe("here");
    expect(result.attempts.map(({ failure }) => failure)).toEqual(["dns_error", undefined]);
    expect(received.mock.calls).toEqual([[method]]);
  });
});

describe("a POST", () => {
  it("to a target that closes idle connections is sent once, on a new connection", async () => {
    const received = vi.fn();
    const port = await openSocketTarget((socket) => {
      // The first call is answered and the connection kept open. A second request on it would be lost.
      socket.once("data", (data) => {
        received(String(data).slice(0, 4));
        socket.write("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n");
        socket.once("data", (more) => {
          received(String(more).slice(0, 4));
          socket.resetAndDestroy();
        });
      });
    });
    const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
    for (let call = 1; call <= 3; call += 1) {
      expect(await runCall(runner, `http://127.0.0.1:${port}/`, { method: "POST", body: "{}" })).toMatchObject({
        kind: "answered",
      });
      expect(received).toHaveBeenCalledTimes(call);
    }
  });
});
