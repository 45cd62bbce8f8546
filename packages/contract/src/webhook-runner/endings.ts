import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import { answered, failed, type WebhookRunnerContext } from "./context.ts";

/** What holds of time, cancelling and broken connections. */
export const endingCases: Cases<WebhookRunnerContext> = {
  "a target that does not answer is given up when the time is over": async ({ server, run }) => {
    server.answer(() => undefined);
    equal(failed(await run({ method: "POST", timeoutMs: 2_500 })), "timeout, unknown");
    equal(server.received.length, 1);
    equal(failed(await run({ timeoutMs: 2_500 })), "timeout, failed");
  },
  "a target that stops in the middle of its answer is given up when the time is over": async ({ server, run }) => {
    server.answer((response) => response.writeHead(200).write("{"));
    const result = await run({ method: "POST", timeoutMs: 2_500 });
    equal(failed(result), "timeout, unknown");
    equal(server.received.length, 1);
  },
  "no time at all sends nothing": async ({ server, run }) => {
    equal(failed(await run({ method: "POST", timeoutMs: 0 })), "timeout, not_sent");
    equal(server.received.length, 0);
  },
  "a call that was cancelled before it began sends nothing": async ({ server, run }) => {
    equal(failed(await run({ method: "POST", signal: AbortSignal.abort() })), "cancelled, not_sent");
    equal(server.received.length, 0);
  },
  "a call that is cancelled while the target works ends": async ({ server, run }) => {
    const leaving = new AbortController();
    server.answer(() => leaving.abort());
    equal(failed(await run({ method: "POST", signal: leaving.signal })), "cancelled, unknown");
  },
  "a method that changes something is sent once, whatever becomes of it": async ({ server, run }) => {
    server.answer((_, request) => request.socket.destroy());
    for (const method of ["POST", "PUT", "DELETE"] as const) {
      equal(failed(await run({ method, body: "{}" })), "connect_error, unknown");
    }
    server.answer((response) => response.writeHead(503, { "retry-after": "0" }).end());
    equal(answered(await run({ method: "POST" })).status, 503);
    deepEqual(
      server.received.map(({ method }) => method),
      ["POST", "PUT", "DELETE", "POST"],
    );
  },
  "each of a hundred calls at once gets its own answer": async ({ server, run }) => {
    server.answer((response, request) => response.end(request.headers["idempotency-key"]));
    const ids = Array.from({ length: 100 }, () => crypto.randomUUID());
    const results = await Promise.all(ids.map((id) => run({ id, method: "POST" })));
    deepEqual(
      results.map((result) => Buffer.from(answered(result).body).toString()),
      ids,
    );
  },
  "a target that is not there is an error, and nothing was sent": async ({ server, run }) => {
    await server.stopListening();
    equal(failed(await run({ method: "POST" })), "connect_error, not_sent");
  },
  "what is no URL of the web is refused, not thrown": async ({ runner, run }) => {
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
  "the metadata of a cloud is never contacted": async ({ runner, run }) => {
    for (const url of ["http://169.254.169.254/latest/meta-data", "http://[::ffff:a9fe:a9fe]/", "http://2852039166/"]) {
      equal(failed(await run({ url })), "blocked_target, not_sent");
      equal((await runner.checkTarget(url)).allowed, false);
    }
  },
  "the verdict on a target that may be called sends nothing": async ({ runner, server, origin }) => {
    deepEqual(await runner.checkTarget(`${origin}/a`), { allowed: true });
    equal(server.received.length, 0);
  },
};
