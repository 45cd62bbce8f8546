import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Mountable } from "@tollgate/core";
import { nodeResponder } from "./node-responder.ts";
import { mountPrefix, pathInside } from "./path-inside.ts";

/** Where a node handler is mounted. */
export interface NodeHandlerOptions {
  /** The path before the endpoints, such as "/router/v1"; "" when the host strips it from `req.url` itself. */
  readonly prefix?: string;
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
export function nodeHandler(gateway: Mountable, { prefix = "" }: NodeHandlerOptions = {}): NodeHandler {
  const respond = nodeResponder(gateway);
  const basePath = mountPrefix(prefix);
  const answer = (req: IncomingMessage, res: ServerResponse, next?: (error?: Error) => void): Promise<void> => {
    const path = pathInside(basePath, req.url ?? "/");
    if (next !== undefined && (path === undefined || gateway.endpoint(req.method ?? "GET", path) === undefined)) {
      next();
      return passedOn;
    }
    const body = "body" in req ? req.body : undefined;
    const { remoteAddress: clientAddress } = req.socket;
    return new Promise((resolve) => {
      const fail = (cause: unknown): void => {
        if (next === undefined) res.writeHead(500).end();
        else next(cause instanceof Error ? cause : new Error("Tollgate could not answer the request.", { cause }));
        resolve();
      };
      whenDone(res, resolve);
      void respond(req, res, { path, basePath, body, clientAddress }, fail);
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
