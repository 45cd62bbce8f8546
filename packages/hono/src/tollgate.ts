import type { Mountable } from "@tollgate/core";
import { directAnswer, type EdgeOptions, isCompletion, peerAddress } from "@tollgate/node/handler";
import type { Context, MiddlewareHandler } from "hono";
import { asHonoResponse, mergeResponse } from "./as-hono-response.ts";
import { waitUntilOf } from "./execution-context.ts";
import { mountedPath } from "./mounted-path.ts";
import { nodePair } from "./node-pair.ts";

/** Options of {@link tollgate}. With `edge: "fetch"`, the mount passes Hono's own Fetch Request to the gateway. */
export interface TollgateOptions extends EdgeOptions {
  /**
   * Returns the client's address, for the limit on failed keys. The default on Node is the peer's address, unless that is
   * on loopback or a private network, where it may be the address of a proxy. On other platforms there is no default.
   */
  readonly clientAddress?: (c: Context) => string | undefined;
}

/**
 * Mounts a gateway in Hono: `app.use("/router/v1/*", tollgate(gateway))`. On Node it reads completions from the server's
 * own request, which is much cheaper than a Fetch request. A path that is not an endpoint is passed to the next handler.
 */
export function tollgate(gateway: Mountable, options: TollgateOptions = {}): MiddlewareHandler {
  const { clientAddress: addressOf = peerOf, edge = "direct" } = options;
  return async (c, next) => {
    const path = mountedPath(c);
    if (gateway.endpoint(c.req.method, path) === undefined) return next();
    const { raw } = c.req;
    const body = raw.bodyUsed ? await c.req.text() : undefined;
    const clientAddress = addressOf(c);
    const pair = edge === "direct" && isCompletion(c.req, { path }) ? nodePair(c) : undefined;
    if (pair !== undefined) {
      const { incoming, outgoing } = pair;
      return asHonoResponse(c, await directAnswer(gateway, incoming, outgoing, { path, body, clientAddress }));
    }
    const host = {
      path,
      ...(clientAddress === undefined ? {} : { clientAddress }),
      ...(body === undefined ? {} : { parsedBody: body }),
      ...waitUntilOf(c),
    };
    return mergeResponse(c, await gateway.fetch(raw, host));
  };
}

const peerOf = (c: Context): string | undefined => peerAddress(nodePair(c)?.incoming.socket.remoteAddress);
