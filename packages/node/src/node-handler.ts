import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Mountable } from "@tollgate/core";
import { directResponder } from "./direct/index.ts";
import { fetchResponder } from "./fetch-responder.ts";
import { type MountedRequest, mountPrefix, NodeMount, type NodeResponder, pathInside } from "./mounted-request.ts";
import { peerAddress } from "./peer-address.ts";

/** Where a node handler is mounted, and what carries its requests. */
export interface NodeHandlerOptions extends EdgeOptions {
  /** The path before the endpoints, such as "/router/v1"; "" when the host strips it from `req.url` itself. */
  readonly prefix?: string;
  /**
   * The client's address, for the limit on failed keys, such as what a proxy of yours puts into a header. Absent: the
   * peer's, unless that is on loopback or a private network, where such a proxy may be.
   */
  readonly clientAddress?: (req: IncomingMessage) => string | undefined;
}

/**
 * A listener for `http.createServer`, or a middleware for whatever calls `(req, res, next)`. Resolves when the response
 * is done, or when `next` has been called. It declares three parameters, by which wrappers know a middleware.
 */
export type NodeHandler = (
  req: IncomingMessage | Http2ServerRequest,
  res: ServerResponse | Http2ServerResponse,
  next?: (error?: Error) => void,
) => Promise<void>;

/**
 * Mounts a gateway on node:http. What is not an endpoint goes to `next`; where there is none, the gateway answers it
 * with 404 in its own JSON.
 */
export function nodeHandler(gateway: Mountable, options: NodeHandlerOptions = {}): NodeHandler {
  const { prefix = "", clientAddress = peerOf } = options;
  const respond = nodeResponder(gateway, options);
  const basePath = mountPrefix(prefix);
  const answer = (req: IncomingMessage, res: ServerResponse, next?: (error?: Error) => void): Promise<void> => {
    const path = pathInside(basePath, req.url ?? "/");
    if (next !== undefined && (path === undefined || gateway.endpoint(req.method ?? "GET", path) === undefined)) {
      next();
      return passedOn;
    }
    return new Promise((resolve) => {
      const fail = (cause: unknown): void => {
        if (next === undefined) res.writeHead(500).end();
        else next(cause instanceof Error ? cause : new Error("Tollgate could not answer the request.", { cause }));
        resolve();
      };
      whenDone(res, resolve);
      void respond(req, res, new NodeMount(req, { path, basePath }, clientAddress), fail);
    });
  };
  // Of the requests and responses of HTTP/2, which are of other classes, only what they share with those of HTTP/1 is used.
  const handler: HandlerOfBoth = { handle: answer };
  return handler.handle;
}

/** A method, whose parameters TypeScript compares both ways. */
interface HandlerOfBoth {
  handle(...parameters: Parameters<NodeHandler>): Promise<void>;
}

const passedOn = Promise.resolve();

/** A response whose client has left before says so only by its state. */
function whenDone(res: ServerResponse, done: () => void): void {
  if (res.closed) done();
  else res.once("close", done);
}

const peerOf = ({ socket }: IncomingMessage): string | undefined => peerAddress(socket.remoteAddress);

/**
 * What carries chat completions between node:http and the gateway: "direct", which makes no Fetch objects, or "fetch",
 * the reference on @whatwg-node/server, which carries every other endpoint in either case.
 */
export type Edge = "direct" | "fetch";

/** The switch between the two edges. */
export interface EdgeOptions {
  /** What carries chat completions. Default: "direct", which costs less; "fetch" rules it out when you look for a fault. */
  readonly edge?: Edge | undefined;
}

/** Joins a gateway to the request and response of node:http. Throws a TypeError for an edge that does not exist. */
export function nodeResponder(gateway: Mountable, { edge = "direct" }: EdgeOptions = {}): NodeResponder {
  const viaFetch = fetchResponder(gateway);
  if (edge === "fetch") return viaFetch;
  if (edge !== "direct")
    throw new TypeError(`The edge ${JSON.stringify(edge)} does not exist. Use "direct" or "fetch".`);
  const direct = directResponder(gateway);
  return (req, res, mounted, fail) => (isCompletion(req, mounted) ? direct : viaFetch)(req, res, mounted, fail);
}

/** Whether a request is for the one endpoint that the direct edge serves. */
export const isCompletion = (
  { method }: { readonly method?: string | undefined },
  { path }: Pick<MountedRequest, "path">,
): boolean => path === "/chat/completions" && method === "POST";
