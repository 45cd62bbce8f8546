import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mountable } from "@tollgate/core";
import { nodeResponder } from "./node-responder.ts";
import { mountPrefix, pathInside } from "./path-inside.ts";

/** Where a node handler is mounted. */
export interface NodeHandlerOptions {
  /** The path before the endpoints, such as "/router/v1"; "" when the host strips it from `req.url` itself. */
  readonly prefix?: string;
}

/** A listener for `http.createServer`, or a middleware for whatever calls `(req, res, next)`. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;

/** Mounts a gateway on node:http. What is not an endpoint goes to `next`, or gets a plain 404 where there is none. */
export function nodeHandler(gateway: Mountable, { prefix = "" }: NodeHandlerOptions = {}): NodeHandler {
  const respond = nodeResponder(gateway);
  const base = mountPrefix(prefix);
  return (req, res, next = endPlainly(res)) => {
    const path = pathInside(base, req.url ?? "/");
    if (path === undefined || gateway.endpoint(req.method ?? "GET", path) === undefined) return next();
    const body = "body" in req ? req.body : undefined;
    respond(req, res, { path, body, clientAddress: req.socket.remoteAddress }, next);
  };
}

function endPlainly(res: ServerResponse): (error?: unknown) => void {
  return (error) => {
    res.statusCode = error === undefined ? 404 : 500;
    res.end();
  };
}
