import type { Mountable } from "@tollgate/core";
import { expect, it } from "vitest";
import { receive } from "../test-support/receive.ts";
import { silentDiagnostics } from "../test-support/silent-diagnostics.ts";
import { withoutBackpressure } from "../test-support/without-backpressure.ts";
import { nodeResponder } from "./node-handler.ts";

/** A gateway that records which of its methods each request calls. */
function noting() {
  const calls: string[] = [];
  const gateway: Mountable = {
    paths: [],
    endpoint: () => "any",
    unread: withoutBackpressure,
    diagnostics: silentDiagnostics,
    async handle() {
      calls.push("answer");
      return { status: 204, headers: {}, body: null };
    },
    async fetch() {
      calls.push("fetch");
      return new Response(null, { status: 204 });
    },
  };
  return { gateway, calls };
}

it.each([
  ["direct", "POST", "/chat/completions", "answer"],
  [undefined, "POST", "/chat/completions", "answer"],
  ["direct", "OPTIONS", "/chat/completions", "fetch"],
  ["direct", "GET", "/models", "fetch"],
  ["direct", "POST", "/session", "fetch"],
  ["direct", "GET", undefined, "fetch"],
  ["fetch", "POST", "/chat/completions", "fetch"],
] as const)("with the edge %s, sends %s %s to `%s`", async (edge, method, path, called) => {
  const { gateway, calls } = noting();
  const { req, res } = await receive(
    `${method} /x HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
  );
  const mounted = { path, body: undefined, clientAddress: undefined };
  await nodeResponder(gateway, { edge })(req, res, mounted, (cause) => expect.unreachable(String(cause)));
  expect([res.statusCode, calls]).toEqual([204, [called]]);
});

it("throws for an unknown edge", () => {
  const options = JSON.parse('{"edge":"quick"}');
  expect(() => nodeResponder(noting().gateway, options)).toThrow(
    'The edge "quick" does not exist. Use "direct" or "fetch".',
  );
});
