import { getEventListeners } from "node:events";
import { webhookRunner } from "@tollgate/node";
import { describe, expect, it, vi } from "vitest";
import { certificate } from "./certificate.ts";
import { openSocketTarget, openTarget, openTlsTarget } from "./open-target.ts";
import { runCall } from "./run-call.ts";

const runnerFor = (port: number, more = {}) => webhookRunner({ allowedTargets: [`127.0.0.1:${port}`], ...more });

describe("the deadline", () => {
  it("applies to a response that arrives byte by byte", async () => {
    const port = await openTarget((_, response) => {
      const drip = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(drip));
    });
    const result = await runCall(runnerFor(port), `http://127.0.0.1:${port}/`, { timeoutMs: 3_000 });
    expect(result).toMatchObject({ failure: "timeout", certainty: "failed", status: 200 });
    expect(result.attempts).toHaveLength(1);
  });

  it("applies to the second attempt as well", async () => {
    let requests = 0;
    const port = await openTarget((_, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(503).end();
    });
    const result = await runCall(runnerFor(port), `http://127.0.0.1:${port}/`, { timeoutMs: 4_000 });
    expect(result).toMatchObject({ failure: "timeout", certainty: "failed", status: null });
    expect(result.attempts.map((each) => each.failure ?? each.status)).toEqual([503, "timeout"]);
  });

  it("applies to a target that does not read", async () => {
    const port = await openSocketTarget((socket) => socket.pause());
    const body = JSON.stringify("x".repeat(16 * 1_048_576));
    const result = await runCall(runnerFor(port), `http://127.0.0.1:${port}/`, {
      method: "PUT",
      body,
      timeoutMs: 2_500,
    });
    expect(result).toMatchObject({ failure: "timeout", certainty: "unknown" });
  });

  it("applies to a TLS handshake", async () => {
    const port = await openSocketTarget(() => undefined);
    const result = await runCall(runnerFor(port), `https://127.0.0.1:${port}/`, { method: "POST", timeoutMs: 500 });
    expect(result).toMatchObject({ failure: "timeout", certainty: "not_sent" });
  });
});

describe("a finished call", () => {
  it.each(["http", "https"])("over %s leaves no connection, even if the target would keep it open", async (scheme) => {
    const sockets = new Set<object>();
    const listener: Parameters<typeof openTarget>[0] = (request, response) => {
      sockets.add(request.socket.once("close", () => sockets.delete(request.socket)));
      if (request.url === "/endless") response.write("x".repeat(2_000));
    };
    const port = await (scheme === "http" ? openTarget(listener) : openTlsTarget(listener));
    const runner = runnerFor(port, { maxResponseBytes: 1_000, ca: [certificate] });
    const url = `${scheme}://127.0.0.1:${port}`;
    expect(await runCall(runner, `${url}/endless`)).toMatchObject({ failure: "response_too_large" });
    expect(await runCall(runner, `${url}/`, { timeoutMs: 2_500 })).toMatchObject({ failure: "timeout" });
    await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0);
  });

  it("leaves no connection to a target that switched protocols", async () => {
    const closed = vi.fn();
    const port = await openSocketTarget((socket) => {
      socket.on("close", closed);
      socket.once("data", () => socket.write("HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"));
    });
    expect(await runCall(runnerFor(port), `http://127.0.0.1:${port}/`)).toMatchObject({ failure: "invalid_response" });
    await expect.poll(() => closed.mock.calls.length, { timeout: 10_000 }).toBe(1);
  });

  it("removes its listener from the signal", async () => {
    const { signal } = new AbortController();
    const port = await openTarget((request, response) => {
      if (request.url === "/reset") request.socket.destroy();
      else response.end();
    });
    const runner = runnerFor(port);
    await runCall(runner, `http://127.0.0.1:${port}/`, { signal });
    await runCall(runner, `http://127.0.0.1:${port}/reset`, { signal });
    await runCall(runner, "http://127.0.0.1/", { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
