import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { WebhookFailure, WebhookResult, WebhookRunner } from "@tollgate/core/extension";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Trigger } from "../definition/assistant.ts";
import { Redactor } from "../redaction/redactor.ts";
import { runWebhook } from "./run-webhook.ts";

const secret = 'sk-"té/st"-0123';
const redactor = new Redactor({ key: secret });
const maxBytes = 1_048_576;
let server: Server;
let origin = "";

const endpoints: Readonly<Record<string, RequestListener>> = {
  "/slow": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"a":');
    setTimeout(() => response.end("1}"), 100);
  },
  "/hanging": () => undefined,
  "/huge": (_, response) => {
    response.end(Buffer.alloc(maxBytes + 1, "a"));
  },
  "/wrong-json": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"a":');
  },
  "/empty": (_, response) => {
    response.writeHead(204).end();
  },
  "/moved": (_, response) => {
    response.writeHead(307, { location: "/echo" }).end();
  },
  "/refused": (_, response) => {
    response.writeHead(422, { "content-type": "application/json" }).end('{"missing":"city"}');
  },
  "/broken": (_, response) => {
    response.writeHead(500).end("at internal.host:42");
  },
  "/reset": (request) => {
    request.socket.destroy();
  },
  "/echo": (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      const { url, headers } = request;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ url, headers, body, session: { client_data: { last: headers.authorization } } }));
    });
  },
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://host").pathname;
    endpoints[path]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A runner without any guard, for the target of this test. */
const fetchRunner: WebhookRunner = {
  checkTarget: async () => ({ allowed: true }),
  run: async ({ url, method, headers, body = null, signal, timeoutMs }) => {
    const begun = performance.now();
    const ended = () => Math.round(performance.now() - begun);
    const failed = (failure: WebhookFailure): WebhookResult => {
      const attempts = [{ durationMs: ended(), status: null, failure }];
      return { kind: "failed", failure, certainty: "unknown", detail: `of ${url}`, status: null, attempts };
    };
    try {
      const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const names = headers.map(([name, value]): [string, string] => [name, value]);
      const answer = await fetch(url, { method, headers: names, body, redirect: "manual", signal: stop });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (bytes.length > maxBytes) return failed("response_too_large");
      const attempts = [{ durationMs: ended(), status: answer.status }];
      const contentType = answer.headers.get("content-type") ?? undefined;
      return { kind: "answered", status: answer.status, contentType, body: bytes, attempts };
    } catch (cause) {
      return failed(cause instanceof Error && cause.name === "TimeoutError" ? "timeout" : "connect_error");
    }
  },
};

const call = async (path: string, timeoutMs = 15_000) => {
  const latin1 = Buffer.from(secret).toString("latin1");
  const request = {
    method: "POST",
    url: `${origin}${path}?q=${encodeURIComponent(secret)}&token=t0ken`,
    headers: [
      ["authorization", `Basic ${Buffer.from(`me:${secret}`).toString("base64")}`],
      ["x-note", latin1],
    ],
    body: JSON.stringify({ inner: JSON.stringify({ secret }) }),
  } as const;
  const trigger: Trigger = {
    name: "t",
    tool: { type: "function", function: { name: "t", parameters: {} } },
    directive: undefined,
    properties: [],
    signingSecret: undefined,
    checkArguments: () => ({ outcome: "valid", arguments: {} }),
    webhook: { render: () => ({ outcome: "rendered", request, variables: [] }) },
  };
  const system = { "session.id": "s", "company.id": "c", "assistant.id": "a" } as const;
  const outcome = await runWebhook(fetchRunner, redactor, {
    id: "00000000-0000-4000-8000-000000000000",
    toolCallId: "t",
    sessionId: "s",
    trigger,
    arguments: "{}",
    sources: { system, images: [], secrets: { key: secret }, clientData: {} },
    timeoutMs,
    signal: new AbortController().signal,
  });
  return { ...outcome, message: JSON.parse(outcome.content) };
};

describe("a webhook whose target", () => {
  it("is slow succeeds", async () => {
    const { message, log } = await call("/slow");
    expect(message).toEqual({ ok: true, status: 200, response: { a: 1 } });
    expect(log.duration_ms).toBeGreaterThanOrEqual(50);
  });

  it("responds with invalid JSON succeeds, with a warning", async () => {
    const { message, log } = await call("/wrong-json");
    expect(message).toEqual({ ok: true, status: 200, response: '{"a":' });
    expect(log.warnings).toHaveLength(1);
  });

  it("responds with 204 succeeds with an empty text", async () => {
    expect((await call("/empty")).message).toEqual({ ok: true, status: 204, response: "" });
  });

  it.each([
    ["hangs", "/hanging", "timeout", "unknown", null, 200],
    ["answers too much", "/huge", "response_too_large", "unknown", null, 15_000],
    ["resets the connection", "/reset", "connect_error", "unknown", null, 15_000],
    ["redirects", "/moved", "redirect_blocked", "failed", 307, 15_000],
    ["refuses", "/refused", "http_error", "failed", 422, 15_000],
    ["fails", "/broken", "http_error", "failed", 500, 15_000],
  ])("%s fails", async (_, path, code, certainty, status, timeoutMs) => {
    const { message, log, content } = await call(path, timeoutMs);
    expect(message).toMatchObject({ ok: false, status, error: { code, outcome: certainty } });
    expect(message.response).toEqual(path === "/refused" ? { missing: "city" } : undefined);
    expect(content).not.toMatch(/127\.0\.0\.1|internal\.host|token/);
    expect(log).toMatchObject({ outcome: certainty, error: { code } });
  });

  it("echoes the request does not reveal the secret", async () => {
    const { content, log, changes } = await call("/echo");
    expect(changes).toEqual([["last", expect.stringMatching(/^Basic bWU6\[redacted\]/)]]);
    for (const shown of [content, JSON.stringify(log), JSON.stringify(changes)]) {
      expect(shown).toContain("[redacted]");
      expect(shown).not.toMatch(/st\W*-0123/);
      expect(shown).not.toContain(Buffer.from(`me:${secret}`).toString("base64").slice(4, -4));
      expect(shown).not.toContain(encodeURIComponent(secret));
    }
  });
});
