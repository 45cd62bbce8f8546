import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mountable } from "@tollgate/core";
import { type MountedRequest, nodeResponder, pathInside, peerAddress } from "@tollgate/node/handler";

/** The members of an Express request that the adapter reads. */
export interface ExpressRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly ip?: string | undefined;
}

/** A request handler of Express 4 and 5. */
export type ExpressHandler = (req: ExpressRequest, res: ServerResponse, next: (error?: unknown) => void) => void;

/** How a gateway is mounted. */
export interface TollgateOptions {
  /**
   * The client's address, for the limit on failed keys. Absent: `req.ip`, unless that is on loopback or a private
   * network, where a proxy may be.
   */
  readonly clientAddress?: (req: ExpressRequest) => string | undefined;
}

/** Mounts a gateway in Express: `app.use("/router/v1", tollgate(gateway))`. What is not an endpoint goes to the next handler. */
export function tollgate(gateway: Mountable, { clientAddress }: TollgateOptions = {}): ExpressHandler {
  const respond = nodeResponder(gateway);
  return (req, res, next) => {
    const path = pathInside("", req.url ?? "/");
    if (path === undefined || gateway.endpoint(req.method ?? "GET", path) === undefined) return next();
    respond(req, res, new ExpressMount(req, path, clientAddress), next);
  };
}

/** What Express knows of a request, read when it is asked for: `ip` is computed, and few requests need it. */
class ExpressMount implements MountedRequest {
  readonly #req: ExpressRequest;
  readonly path: string;
  readonly #tell: TollgateOptions["clientAddress"];

  constructor(req: ExpressRequest, path: string, tell: TollgateOptions["clientAddress"]) {
    this.#req = req;
    this.path = path;
    this.#tell = tell;
    // The socket keeps an address that it was asked for, also when the client has left before `ip` is read.
    void req.socket.remoteAddress;
  }

  get body(): unknown {
    return this.#req.body;
  }

  get clientAddress(): string | undefined {
    return this.#tell === undefined ? peerAddress(this.#req.ip) : this.#tell(this.#req);
  }
}
