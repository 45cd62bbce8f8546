import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mountable } from "@tollgate/core";
import { type MountedRequest, nodeResponder, pathInside } from "@tollgate/node/handler";

/** The members of an Express request that the adapter reads. */
export interface ExpressRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly ip?: string | undefined;
}

/** A request handler of Express 4 and 5. */
export type ExpressHandler = (req: ExpressRequest, res: ServerResponse, next: (error?: unknown) => void) => void;

/** Mounts a gateway in Express: `app.use("/router/v1", tollgate(gateway))`. What is not an endpoint goes to the next handler. */
export function tollgate(gateway: Mountable): ExpressHandler {
  const respond = nodeResponder(gateway);
  return (req, res, next) => {
    const path = pathInside("", req.url ?? "/");
    if (path === undefined || gateway.endpoint(req.method ?? "GET", path) === undefined) return next();
    void respond(req, res, new ExpressMount(req, path), next);
  };
}

/** What Express knows of a request, read when it is asked for: `ip` is computed, and few requests need it. */
class ExpressMount implements MountedRequest {
  readonly #req: ExpressRequest;
  readonly path: string;

  constructor(req: ExpressRequest, path: string) {
    this.#req = req;
    this.path = path;
    // The socket keeps an address that it was asked for, also when the client has left before `ip` is read.
    void req.socket.remoteAddress;
  }

  get body(): unknown {
    return this.#req.body;
  }

  get clientAddress(): string | undefined {
    return this.#req.ip;
  }
}
