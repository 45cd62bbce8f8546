import type { WebhookMethod } from "@tollgate/core/assistants";
import { webhookRunner } from "@tollgate/node";
import { describe, expect, it, vi } from "vitest";
import { openSocketTarget, openTarget } from "./open-target.ts";
import { runCall, textOf } from "./run-call.ts";

const methods: readonly WebhookMethod[] = ["GET", "POST", "PUT", "DELETE"];

/** A target that gives each answer once, the last again and again, and counts. */
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
  it.each([408, 429, 502, 503, 504])("that was answered %i is tried once more", async (status) => {
    const { requests, run } = await openScript([status], [200]);
    const result = await run();
    expect(result).toMatchObject({ kind: "answered", status: 200 });
    expect(result.attempts.map((each) => each.status)).toEqual([status, 200]);
    expect(requests).toHaveBeenCalledTimes(2);
  });

  it("is tried twice at most", async () => {
    const { requests, run } = await openScript([503]);
    expect(await run()).toMatchObject({ kind: "answered", status: 503 });
    expect(requests).toHaveBeenCalledTimes(2);
  });

  it.each([200, 301, 400, 404, 500, 501])("that was answered %i is not tried again", async (status) => {
    const { requests, run } = await openScript([status]);
    expect(await run()).toMatchObject({ kind: "answered", status });
    expect(requests).toHaveBeenCalledTimes(1);
  });

  it("waits as long as the target asks for", async () => {
    const { run } = await openScript([503, { "retry-after": "2" }], [200]);
    const start = performance.now();
    expect(await run()).toMatchObject({ status: 200 });
    expect(performance.now() - start).toBeGreaterThan(1_900);
  });

  it.each(["3600", new Date(Date.now() + 3_600_000).toUTCString()])(
    "is not tried again when the target asks for more time than there is: %s",
    async (wait) => {
      const { requests, run } = await openScript([429, { "retry-after": wait }], [200]);
      expect(await run()).toMatchObject({ kind: "answered", status: 429 });
      expect(requests).toHaveBeenCalledTimes(1);
    },
  );

  it("whose connection broke is tried once more", async () => {
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

  it("that is cancelled while it waits for its second try ends", async () => {
    const leaving = new AbortController();
    const port = await openTarget((_, response) => {
      response.on("finish", () => setTimeout(() => leaving.abort(), 50));
      response.writeHead(503, { "retry-after": "10" }).end();
    });
    const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
    const result = await runCall(runner, `http://127.0.0.1:${port}/`, { signal: leaving.signal });
    expect(result).toMatchObject({ failure: "cancelled", certainty: "failed" });
  });
});

describe("any method", () => {
  it.each(methods)("%s is tried once more when nothing was sent", async (method) => {
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
  it("on a connection that the target closes as it arrives is sent once", async () => {
    const received = vi.fn();
    const port = await openSocketTarget((socket) => {
      // The first call is answered and the connection kept; whatever came on it next would be lost.
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
