import type { Gateway } from "@tollgate/core";
import { nodeResponder } from "@tollgate/node/handler";
import type { MiddlewareHandler } from "hono";
import { mountedPath } from "./mounted-path.ts";
import { nodePair } from "./node-pair.ts";
import { carryHeaders, markSent } from "./raw-response.ts";

/**
 * Mounts a gateway in Hono: `app.use("/router/v1/*", tollgate(gateway))`. On Node it writes to the server's own
 * response, elsewhere it answers with Fetch objects. What is not an endpoint goes to the next handler.
 */
export function tollgate(gateway: Gateway): MiddlewareHandler {
  const respond = nodeResponder(gateway);
  return async (c, next) => {
    const path = mountedPath(c);
    if (gateway.endpoint(c.req.method, path) === undefined) return next();
    const body = c.req.raw.bodyUsed ? await c.req.text() : undefined;
    const pair = nodePair(c);
    if (pair === undefined) return gateway.fetch(c.req.raw, body === undefined ? { path } : { path, parsedBody: body });
    const { incoming, outgoing } = pair;
    carryHeaders(c, outgoing);
    await new Promise<void>((resolve, reject) => {
      outgoing.once("close", resolve);
      respond(incoming, outgoing, { path, body, clientAddress: incoming.socket.remoteAddress }, reject);
    });
    markSent(c, outgoing);
  };
}
