import type { Mountable } from "@tollgate/core";
import { answerNode } from "@tollgate/node/handler";
import type { MiddlewareHandler } from "hono";
import { asHonoResponse } from "./as-hono-response.ts";
import { waitUntilOf } from "./execution-context.ts";
import { mountedPath } from "./mounted-path.ts";
import { nodePair } from "./node-pair.ts";

/**
 * Mounts a gateway in Hono: `app.use("/router/v1/*", tollgate(gateway))`. On Node it reads the server's own request,
 * which is much cheaper than a Fetch one. What is not an endpoint goes to the next handler.
 */
export function tollgate(gateway: Mountable): MiddlewareHandler {
  return async (c, next) => {
    const path = mountedPath(c);
    if (gateway.endpoint(c.req.method, path) === undefined) return next();
    const { raw } = c.req;
    const body = raw.bodyUsed ? await c.req.text() : undefined;
    const pair = nodePair(c);
    if (pair === undefined) {
      return gateway.fetch(raw, { path, ...(body === undefined ? {} : { parsedBody: body }), ...waitUntilOf(c) });
    }
    const { incoming, outgoing } = pair;
    const clientAddress = incoming.socket.remoteAddress;
    return asHonoResponse(c, await answerNode(gateway, incoming, outgoing, { path, body, clientAddress }));
  };
}
