import type { Mountable } from "@tollgate/core";
import { expect, it } from "vitest";
import { receive } from "../test-support/receive.ts";
import { unpaced } from "../test-support/unpaced.ts";
import { nodeResponder } from "./node-handler.ts";

/** A gateway that notes by which door a request came. */
function noting() {
  const doors: string[] = [];
  const gateway: Mountable = {
    paths: [],
    endpoint: () => "any",
    unread: unpaced,
    async handle() {
      doors.push("answer");
      return { status: 204, headers: {}, body: null };
    },
    async fetch() {
      doors.push("fetch");
      return new Response(null, { status: 204 });
    },
  };
  return { gateway, doors };
}

it.each([
  ["direct", "POST", "/chat/completions", "answer"],
  [undefined, "POST", "/chat/completions", "answer"],
  ["direct", "OPTIONS", "/chat/completions", "fetch"],
  ["direct", "GET", "/models", "fetch"],
  ["direct", "POST", "/session", "fetch"],
  ["direct", "GET", undefined, "fetch"],
  ["fetch", "POST", "/chat/completions", "fetch"],
] as const)("with the edge %s carries %s %s through `%s`", async (edge, method, path, door) => {
  const { gateway, doors } = noting();
  const { req, res } = await receive(
    `${method} /x HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
  );
  const mounted = { path, body: undefined, clientAddress: undefined };
  await nodeResponder(gateway, { edge })(req, res, mounted, (cause) => expect.unreachable(String(cause)));
  expect([res.statusCode, doors]).toEqual([204, [door]]);
});

it("throws for an edge that does not exist", () => {
  const options = JSON.parse('{"edge":"quick"}');
  expect(() => nodeResponder(noting().gateway, options)).toThrow(
    'The edge "quick" does not exist. Use "direct" or "fetch".',
  );
});
