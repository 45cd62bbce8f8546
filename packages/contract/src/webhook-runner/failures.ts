import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import { answered, failed, type WebhookRunnerContext } from "./context.ts";

/** The cases of timeouts, cancellation and lost connections. */
export const failureCases: Cases<WebhookRunnerContext> = {
  "a target that does not respond times out": async ({ server, run }) => {
    server.respond(() => undefined);
    equal(failed(await run({ method: "POST", timeoutMs: 2_500 })), "timeout, unknown");
    equal(server.received.length, 1);
    equal(failed(await run({ timeoutMs: 2_500 })), "timeout, failed");
  },
  "a target that stops in the middle of its response times out": async ({ server, run }) => {
    server.respond((response) => response.writeHead(200).write("{"));
    const result = await run({ method: "POST", timeoutMs: 2_500 });
    equal(failed(result), "timeout, unknown");
    equal(server.received.length, 1);
  },
  "a timeout of 0 sends nothing": async ({ server, run }) => {
    equal(failed(await run({ method: "POST", timeoutMs: 0 })), "timeout, not_sent");
    equal(server.received.length, 0);
  },
  "a call that is cancelled before it starts sends nothing": async ({ server, run }) => {
    equal(failed(await run({ method: "POST", signal: AbortSignal.abort() })), "cancelled, not_sent");
    equal(server.received.length, 0);
  },
  "a call can be cancelled while the target processes it": async ({ server, run }) => {
    const controller = new AbortController();
    server.respond(() => controller.abort());
    equal(failed(await run({ method: "POST", signal: controller.signal })), "cancelled, unknown");
  },
  "an unsafe method is sent once, whatever the outcome": async ({ server, run }) => {
    server.respond((_, request) => request.socket.destroy());
    for (const method of ["POST", "PUT", "DELETE"] as const) {
      equal(failed(await run({ method, body: "{}" })), "connect_error, unknown");
    }
    server.respond((response) => response.writeHead(503, { "retry-after": "0" }).end());
    equal(answered(await run({ method: "POST" })).status, 503);
    deepEqual(
      server.received.map(({ method }) => method),
      ["POST", "PUT", "DELETE", "POST"],
    );
  },
  "each of 100 concurrent calls gets its own response": async ({ server, run }) => {
    server.respond((response, request) => response.end(request.headers["idempotency-key"]));
    const ids = Array.from({ length: 100 }, () => crypto.randomUUID());
    const results = await Promise.all(ids.map((id) => run({ id, method: "POST" })));
    deepEqual(
      results.map((result) => Buffer.from(answered(result).body).toString()),
      ids,
    );
  },
  "a target that does not listen is an error, and nothing was sent": async ({ server, run }) => {
    await server.stopListening();
    equal(failed(await run({ method: "POST" })), "connect_error, not_sent");
  },
  "an invalid or non-HTTP URL returns a failure and does not throw": async ({ runner, run }) => {
    for (const url of [
      "",
      "no url",
      "ftp://127.0.0.1/",
      "file:///etc/passwd",
      "unix:/run/x.sock",
      "http://",
      "data:,x",
    ]) {
      equal(failed(await run({ url })), "blocked_target, not_sent");
      equal((await runner.checkTarget(url)).allowed, false);
    }
  },
  "cloud metadata addresses are never contacted": async ({ runner, run }) => {
    for (const url of ["http://169.254.169.254/latest/meta-data", "http://[::ffff:a9fe:a9fe]/", "http://2852039166/"]) {
      equal(failed(await run({ url })), "blocked_target, not_sent");
      equal((await runner.checkTarget(url)).allowed, false);
    }
  },
  "checkTarget sends no request to an allowed target": async ({ runner, server, origin }) => {
    deepEqual(await runner.checkTarget(`${origin}/a`), { allowed: true });
    equal(server.received.length, 0);
  },
};
