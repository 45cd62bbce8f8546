import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mountable } from "@tollgate/core";
import type { MountedRequest } from "./node-request.ts";
import { nodeResponder } from "./node-responder.ts";
import { mountPrefix, pathInside } from "./path-inside.ts";
import { peerAddress } from "./peer-address.ts";

/** Where a node handler is mounted. */
export interface NodeHandlerOptions {
  /** The path before the endpoints, such as "/router/v1"; "" when the host strips it from `req.url` itself. */
  readonly prefix?: string;
  /**
   * The client's address, for the limit on failed keys, such as what a proxy of yours puts into a header. Absent: the
   * peer's, unless that is on loopback or a private network, where such a proxy may be.
   */
  readonly clientAddress?: (req: IncomingMessage) => string | undefined;
}

/** A listener for `http.createServer`, or a middleware for whatever calls `(req, res, next)`. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;

/** Mounts a gateway on node:http. What is not an endpoint goes to `next`, or gets a plain 404 where there is none. */
export function nodeHandler(gateway: Mountable, options: NodeHandlerOptions = {}): NodeHandler {
  const { prefix = "", clientAddress } = options;
  const respond = nodeResponder(gateway);
  const base = mountPrefix(prefix);
  return (req, res, next = endPlainly(res)) => {
    const path = pathInside(base, req.url ?? "/");
    if (path === undefined || gateway.endpoint(req.method ?? "GET", path) === undefined) return next();
    respond(req, res, new NodeMount(req, path, clientAddress), next);
  };
}

class NodeMount implements MountedRequest {
  readonly #req: IncomingMessage;
  readonly path: string;
  readonly #tell: NodeHandlerOptions["clientAddress"];

  constructor(req: IncomingMessage, path: string, tell: NodeHandlerOptions["clientAddress"]) {
    this.#req = req;
    this.path = path;
    this.#tell = tell;
    // The socket keeps an address that it was asked for, also when the client has left before it is needed.
    void req.socket.remoteAddress;
  }

  get body(): unknown {
    return "body" in this.#req ? this.#req.body : undefined;
  }

  get clientAddress(): string | undefined {
    return this.#tell === undefined ? peerAddress(this.#req.socket.remoteAddress) : this.#tell(this.#req);
  }
}

function endPlainly(res: ServerResponse): (error?: unknown) => void {
  return (error) => {
    res.statusCode = error === undefined ? 404 : 500;
    res.end();
  };
}
