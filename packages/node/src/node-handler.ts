import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Mountable } from "@tollgate/core";
import { dialectEndpoints } from "@tollgate/core/internal";
import { directResponder } from "./direct/index.ts";
import { fetchResponder } from "./fetch-responder.ts";
import {
  type MountedRequest,
  mountPrefix,
  NodeMount,
  type NodeResponder,
  originalUrl,
  pathInside,
} from "./mounted-request.ts";
import { peerAddress } from "./peer-address.ts";
import { requireMountable } from "./require-mountable.ts";

/** Options of `nodeHandler`. */
export interface NodeHandlerOptions extends EdgeOptions {
  /**
   * The path before the endpoints, such as "/router/v1". Default: "", for a host that removes it from `req.url` itself. With
   * a prefix, `req.originalUrl` is read too, so such a host may pass it as well.
   */
  readonly prefix?: string;
  /**
   * Returns the client's address, for example from a header that your proxy sets. It is used to limit failed keys.
   * Default: the peer's address, or undefined on loopback and private networks, where the peer may be a proxy.
   */
  readonly clientAddress?: (req: IncomingMessage) => string | undefined;
}

/**
 * A listener for `http.createServer`, or a middleware with the signature `(req, res, next)`. Resolves when the response
 * is closed or `next` has been called. It declares three parameters because wrappers recognize middleware by that.
 */
export type NodeHandler = (
  req: IncomingMessage | Http2ServerRequest,
  res: ServerResponse | Http2ServerResponse,
  next?: (error?: Error) => void,
) => Promise<void>;

/**
 * Mounts a gateway on node:http. A request that matches no endpoint is passed to `next`. Without `next`, the gateway
 * answers it with a 404 JSON error.
 */
export function nodeHandler(gateway: Mountable, options: NodeHandlerOptions = {}): NodeHandler {
  const { prefix = "", clientAddress = peerOf } = options;
  requireMountable(gateway, "nodeHandler(gateway)");
  const respond = nodeResponder(gateway, options);
  const basePath = mountPrefix(prefix);
  gateway.diagnostics.describeMount(
    (wanted, name) => `write \`nodeHandler(${name}, { prefix: "${wanted}" })\``,
    basePath === "" ? undefined : basePath,
  );
  const answer = (req: IncomingMessage, res: ServerResponse, next?: (error?: Error) => void): Promise<void> => {
    const path = pathInside(basePath, req.url ?? "/") ?? pathOutsideUrl(gateway, basePath, req);
    if (next !== undefined && (path === undefined || gateway.endpoint(req.method ?? "GET", path) === undefined)) {
      next();
      return resolved;
    }
    return new Promise((resolve) => {
      const fail = (cause: unknown): void => {
        if (next === undefined) {
          gateway.diagnostics.warn(cause instanceof Error ? cause.message : String(cause));
          res.writeHead(500).end();
        } else
          next(
            cause instanceof Error
              ? cause
              : new Error("Tollgate could not answer the request. See `cause`.", { cause }),
          );
        resolve();
      };
      whenDone(res, resolve);
      void respond(req, res, new NodeMount(req, { path, basePath }, clientAddress), fail);
    });
  };
  // HTTP/2 requests and responses are other classes; only members that they share with HTTP/1 are used.
  const handler: HandlerOfBoth = { handle: answer };
  return handler.handle;
}

/** The path of a request whose `url` is not below the prefix: the host removed it, or it has no slash at its end. */
function pathOutsideUrl(gateway: Mountable, basePath: string, req: IncomingMessage): string | undefined {
  const path = pathInside(basePath, originalUrl(req));
  if (path !== undefined) return path;
  const isBare = basePath !== "" && pathInside("", req.url ?? "/") === basePath;
  return isBare && gateway.endpoint(req.method ?? "GET", "") !== undefined ? "" : undefined;
}

/** Declared as a method because TypeScript checks method parameters bivariantly. */
interface HandlerOfBoth {
  handle(...parameters: Parameters<NodeHandler>): Promise<void>;
}

const resolved = Promise.resolve();

/** Calls back when the response closes. One that is already closed emits no event. */
function whenDone(res: ServerResponse, done: () => void): void {
  if (res.closed) done();
  else res.once("close", done);
}

const peerOf = ({ socket }: IncomingMessage): string | undefined => peerAddress(socket.remoteAddress);

/**
 * How requests that call a model are passed between node:http and the gateway: "direct" creates no Fetch objects; "fetch" is the
 * reference implementation on @whatwg-node/server. All other endpoints always use "fetch".
 */
export type Edge = "direct" | "fetch";

/** The option that selects the edge. */
export interface EdgeOptions {
  /**
   * The edge for requests that call a model. Default: "direct", which uses less CPU. Set "fetch" to rule it out when debugging.
   */
  readonly edge?: Edge | undefined;
}

/** Creates the function that answers node:http requests with a gateway. Throws a TypeError for an unknown edge. */
export function nodeResponder(gateway: Mountable, { edge = "direct" }: EdgeOptions = {}): NodeResponder {
  const viaFetch = fetchResponder(gateway);
  if (edge === "fetch") return viaFetch;
  if (edge !== "direct")
    throw new TypeError(`The edge ${JSON.stringify(edge)} does not exist. Use "direct" or "fetch".`);
  const direct = directResponder(gateway);
  return (req, res, mounted, fail) => (isModelCall(req, mounted) ? direct : viaFetch)(req, res, mounted, fail);
}

/** Whether a request is for an endpoint that calls a model. The direct edge serves these alone. */
export const isModelCall = (
  { method }: { readonly method?: string | undefined },
  { path }: Pick<MountedRequest, "path">,
): boolean => method === "POST" && path !== undefined && modelCallPaths.has(path);

const modelCallPaths: ReadonlySet<string> = new Set(
  Object.values(dialectEndpoints).flatMap(({ path }) => [path, `/v1${path}`]),
);
