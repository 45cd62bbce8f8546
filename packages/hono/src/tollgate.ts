import type { Mountable } from "@tollgate/core";
import { directAnswer, peerAddress } from "@tollgate/node/handler";
import type { Context, MiddlewareHandler } from "hono";
import { asHonoResponse } from "./as-hono-response.ts";
import { waitUntilOf } from "./execution-context.ts";
import { mountedPath } from "./mounted-path.ts";
import { nodePair } from "./node-pair.ts";

/** How a gateway is mounted. */
export interface TollgateOptions {
  /**
   * The client's address, for the limit on failed keys. Absent: on Node the peer's, unless that is on loopback or a
   * private network, where a proxy may be; elsewhere it is not known.
   */
  readonly clientAddress?: (c: Context) => string | undefined;
}

/**
 * Mounts a gateway in Hono: `app.use("/router/v1/*", tollgate(gateway))`. On Node it reads the server's own request,
 * which is much cheaper than a Fetch one. What is not an endpoint goes to the next handler.
 */
export function tollgate(gateway: Mountable, { clientAddress: tell }: TollgateOptions = {}): MiddlewareHandler {
  return async (c, next) => {
    const path = mountedPath(c);
    if (gateway.endpoint(c.req.method, path) === undefined) return next();
    const { raw } = c.req;
    const body = raw.bodyUsed ? await c.req.text() : undefined;
    const pair = nodePair(c);
    if (pair === undefined) {
      const clientAddress = tell?.(c);
      return gateway.fetch(raw, {
        path,
        ...(clientAddress === undefined ? {} : { clientAddress }),
        ...(body === undefined ? {} : { parsedBody: body }),
        ...waitUntilOf(c),
      });
    }
    const { incoming, outgoing } = pair;
    const clientAddress = tell === undefined ? peerAddress(incoming.socket.remoteAddress) : tell(c);
    return asHonoResponse(c, await directAnswer(gateway, incoming, outgoing, { path, body, clientAddress }));
  };
}
