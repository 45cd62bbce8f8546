import type { Mountable } from "@tollgate/core";
import {
  directAnswer,
  type EdgeOptions,
  hostContext,
  isModelCall,
  type NodePair,
  nodePairIn,
  pathBelow,
  peerAddress,
  requireMountable,
  watchWaiting,
} from "@tollgate/node/handler";
import type { Context, MiddlewareHandler, Next } from "hono";
import { asHonoResponse, mergeResponse } from "./as-hono-response.ts";

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
  requireMountable(gateway, "tollgate(gateway)");
  gateway.diagnostics.describeMount((prefix, name) => `write \`app.use("${prefix}/*", tollgate(${name}))\``);
  return async (c, next) => {
    // Not `routePath(c)` of "hono/route": of a Hono that was loaded by `require`, it is another copy, which cannot read `c`.
    const path = pathBelow(c.req.routePath, c.req.path);
    if (gateway.endpoint(c.req.method, path) === undefined) return passOn(gateway, c, next);
    const { raw } = c.req;
    // Without the body, the gateway says what to do: a middleware has read it in a way that Hono cannot repeat.
    const body = raw.bodyUsed ? await c.req.text().catch(() => undefined) : undefined;
    const mounted = { path, body, clientAddress: addressOf(c) };
    const pair = edge === "direct" && isModelCall(c.req, mounted) ? nodePair(c) : undefined;
    const response =
      pair === undefined
        ? mergeResponse(c, await gateway.fetch(raw, { ...hostContext(mounted, body), ...waitUntilOf(c) }))
        : asHonoResponse(c, await directAnswer(gateway, pair.incoming, pair.outgoing, mounted));
    const outgoing = pair?.outgoing ?? nodePair(c)?.outgoing;
    if (outgoing !== undefined) watchWaiting(outgoing, () => lengthOf(response), gateway.unread);
    return response;
  };
}

const lengthOf = ({ headers }: Response): number => Number(headers.get("content-length") ?? 0);

async function passOn({ diagnostics }: Mountable, c: Context, next: Next): Promise<void> {
  await next();
  if (c.res.status === 404)
    diagnostics.missed({ method: c.req.method, url: c.req.url, header: (name) => c.req.header(name) });
}

const peerOf = (c: Context): string | undefined => peerAddress(nodePair(c)?.incoming.socket.remoteAddress);

/** The request and response of node:http behind a context; undefined elsewhere, and when a middleware put another Request in the place of the server's. */
function nodePair({ req, env }: Context): NodePair | undefined {
  // The server's Request has a prototype of its own; one made by a middleware, such as bodyLimit, is a plain one.
  return Object.getPrototypeOf(req.raw) === Request.prototype ? undefined : nodePairIn(env);
}

/** What keeps the platform running behind the response, where it gives an ExecutionContext; otherwise nothing. */
function waitUntilOf(c: Context): { waitUntil?: (work: Promise<unknown>) => void } {
  try {
    const { executionCtx } = c;
    return { waitUntil: (work) => executionCtx.waitUntil(work) };
  } catch {
    // Hono throws where there is none.
    return {};
  }
}
