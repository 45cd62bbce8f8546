import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyReceiver, ClientRequest, GatewayError } from "@tollgate/core";
import { readBody } from "./read-body.ts";
import { ResponseSignal } from "./response-signal.ts";

/** What a framework knows of a request. A getter is asked only for what is needed. */
export interface MountedRequest {
  /** The path inside the mount, without the query; undefined: the request is for something outside of it. */
  readonly path: string | undefined;
  /** Where the mount is, when the adapter knows; it is named to a client that asks for something outside of it. */
  readonly basePath?: string;
  /** What a parser of the host made of the body; it counts only when the request's stream has been read. */
  readonly body: unknown;
  /** Why a parser of the host has refused the body; the client gets it once all that comes before the body is in order. */
  readonly refusal?: GatewayError | undefined;
  readonly clientAddress: string | undefined;
}

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
    // A body without bytes counts as read when it has ended.
    this.parsedBody = req.readableDidRead || req.readableEnded ? keptBody(req, mounted) : undefined;
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
    if (name === authorization) return allKeys(this.#req);
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

function keptBody(req: IncomingMessage, { body, refusal }: MountedRequest): unknown {
  if (body !== undefined || refusal !== undefined) return body;
  if (!req.readableDidRead) return "";
  throw new Error(
    "Something before Tollgate read the request body and kept none of it. Mount Tollgate before it, or put what it read in req.body.",
  );
}

/** Express shortens `url` by the mount. */
function originalUrl(req: IncomingMessage): string | undefined {
  return "originalUrl" in req && typeof req.originalUrl === "string" ? req.originalUrl : req.url;
}

/** Node keeps the first of several Authorization headers, and two keys are to be refused rather than one chosen. */
function allKeys({ rawHeaders }: IncomingMessage): string | undefined {
  let all: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== authorization.length || name.toLowerCase() !== authorization) continue;
    const value = rawHeaders[at + 1] ?? "";
    all = all === undefined ? value : `${all}, ${value}`;
  }
  return all;
}

const authorization = "authorization";
