import type { ServerResponse } from "node:http";
import type { Context } from "hono";

/** Puts the headers that earlier middleware set, such as CORS headers, on the raw response. */
export function carryHeaders(c: Context, outgoing: ServerResponse): void {
  for (const [name, value] of c.res.headers) outgoing.appendHeader(name, value);
}

/**
 * Tells @hono/node-server that the answer has gone out, and later middleware its status. Reading `body` and having
 * `bodyUsed` keeps both from replacing this response by a new one, which the server would try to send again.
 */
export function markSent(c: Context, outgoing: ServerResponse): void {
  c.res = new Response(null, { status: outgoing.statusCode, headers: { "x-hono-already-sent": "true" } });
  const sent = c.res;
  void sent.body;
  Object.defineProperty(sent, "bodyUsed", { value: true });
}
