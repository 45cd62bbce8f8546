import { deepEqual, equal } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { Cases } from "../suite.ts";
import { answered, failed, type WebhookRunnerContext } from "./context.ts";

/** The cases of responses. */
export const responseCases: Cases<WebhookRunnerContext> = {
  "the result has the body, status and content type unchanged": async ({ server, run }) => {
    const bytes = Buffer.from([0, 1, 0xff, 0xfe, 0x0d, 0x0a]);
    server.respond((response) => response.writeHead(201, { "content-type": "Text/X; a=B" }).end(bytes));
    const { status, contentType, body, attempts } = answered(await run({ method: "POST" }));
    deepEqual([status, contentType, Buffer.from(body)], [201, "Text/X; a=B", bytes]);
    deepEqual(
      attempts.map((each) => [each.status, each.failure]),
      [[201, undefined]],
    );
  },
  "a response without body and content type is valid": async ({ run }) => {
    const { status, contentType, body } = answered(await run());
    deepEqual([status, contentType, body.length], [204, undefined, 0]);
  },
  "every status is a response, and a redirect is not followed": async ({ server, origin, run }) => {
    const statuses = [200, 301, 302, 303, 307, 308, 400, 404, 409, 500];
    for (const status of statuses) {
      server.respond((response) => response.writeHead(status, { location: `${origin}/elsewhere` }).end("x"));
      equal(answered(await run({ method: "POST" })).status, status);
    }
    equal(server.received.length, statuses.length);
  },
  "a compressed body is decompressed": async ({ server, run }) => {
    server.respond((response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"a":"ä"}')));
    equal(Buffer.from(answered(await run()).body).toString(), '{"a":"ä"}');
  },
  "an endless response is aborted": async ({ server, run }) => {
    server.respond((response) => {
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", more);
      more();
    });
    equal(failed(await run()), "response_too_large, failed");
    equal(failed(await run({ method: "POST" })), "response_too_large, unknown");
  },
  "a truncated response is a failure": async ({ server, run }) => {
    server.respond((response, request) => {
      response.writeHead(200, { "content-length": 1_000 });
      response.write("x", () => request.socket.destroy());
    });
    equal(failed(await run()), "invalid_response, failed");
    equal(failed(await run({ method: "POST" })), "invalid_response, unknown");
    equal(server.received.filter(({ method }) => method === "POST").length, 1);
  },
};
