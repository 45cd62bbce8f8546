import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyReceiver, ClientRequest } from "@tollgate/core/internal";
import { authorizationOf } from "../authorization.ts";
import { hostParsedBody, type MountedRequest } from "../mounted-request.ts";
import { readBody } from "./read-body.ts";
import { ResponseSignal } from "./response-signal.ts";

/** A request of node:http as the gateway reads it. Throws for a body that the host has read and not kept. */
export class NodeRequest implements ClientRequest {
  readonly #req: IncomingMessage;
  readonly #mounted: MountedRequest;
  readonly #headers: IncomingMessage["headers"];
  readonly parsedBody: unknown;
  readonly signal: ResponseSignal;

  constructor(req: IncomingMessage, res: ServerResponse, mounted: MountedRequest) {
    this.#req = req;
    this.#mounted = mounted;
    this.#headers = req.headers;
    this.parsedBody = hostParsedBody(req, mounted);
    this.signal = new ResponseSignal(res);
  }

  get path(): string | undefined {
    return this.#mounted.path;
  }

  get basePath(): string | undefined {
    return this.#mounted.basePath;
  }

  get clientAddress(): string | undefined {
    return this.#mounted.clientAddress;
  }

  /** A process of Node runs on by itself. */
  get waitUntil(): undefined {
    return undefined;
  }

  get method(): string {
    return this.#req.method ?? "GET";
  }

  get url(): string {
    return originalUrl(this.#req) ?? "/";
  }

  header(name: string): string | undefined {
    if (name === "authorization") return authorizationOf(this.#req);
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  readBody(maxBytes: number, receiver: BodyReceiver): void {
    const { refusal } = this.#mounted;
    const declared = this.#headers["content-length"] ?? "";
    if (refusal !== undefined) receiver.reject(refusal);
    // Few are as long, and to read a number out of a text costs more than to look at its length.
    else if (declared.length >= String(maxBytes).length && Number(declared) > maxBytes) receiver.resolve(undefined);
    else readBody(this.#req, maxBytes, receiver);
  }
}

/** Express shortens `url` by the mount. */
function originalUrl(req: IncomingMessage): string | undefined {
  return "originalUrl" in req && typeof req.originalUrl === "string" ? req.originalUrl : req.url;
}
