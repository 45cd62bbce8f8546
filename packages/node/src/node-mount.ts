import type { IncomingMessage } from "node:http";
import type { GatewayError } from "@tollgate/core";
import type { MountedRequest } from "./mounted-request.ts";
import type { ParserRefusal } from "./parser-refusal.ts";

/** Where a request is inside its mount, and what a parser of the host has refused of it. */
export interface NodePlace {
  readonly path: string | undefined;
  readonly basePath?: string;
  readonly refused?: ParserRefusal | undefined;
}

/**
 * What a host with requests of node:http knows of one: the body is `req.body`, and `tell` returns the client's address.
 * Both are read only when they are needed.
 */
export class NodeMount<Req extends IncomingMessage> implements MountedRequest {
  readonly #req: Req;
  readonly path: string | undefined;
  readonly basePath: string | undefined;
  readonly #refused: ParserRefusal | undefined;
  readonly #tell: (req: Req) => string | undefined;

  constructor(req: Req, { path, basePath, refused }: NodePlace, tell: (req: Req) => string | undefined) {
    this.#req = req;
    this.path = path;
    this.basePath = basePath;
    this.#refused = refused;
    this.#tell = tell;
    // The socket keeps an address that it was asked for, also when the client has left before it is needed.
    void req.socket.remoteAddress;
  }

  get body(): unknown {
    if (this.#refused !== undefined) return this.#refused.body;
    return "body" in this.#req ? this.#req.body : undefined;
  }

  get refusal(): GatewayError | undefined {
    return this.#refused?.refusal;
  }

  get clientAddress(): string | undefined {
    return this.#tell(this.#req);
  }
}
