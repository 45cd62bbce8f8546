import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayError, HostContext } from "@tollgate/core";

/** What a framework knows of a request. A getter is read only when its value is needed. */
export interface MountedRequest {
  /** The path inside the mount, without the query; undefined: the request is for something outside of it. */
  readonly path: string | undefined;
  /** Where the mount is, when the adapter knows; it is named to a client that asks for something outside of it. */
  readonly basePath?: string | undefined;
  /** What a parser of the host made of the body; it counts only when the request's stream has been read. */
  readonly body: unknown;
  /** Why a parser of the host has refused the body; the client gets it once all that comes before the body is in order. */
  readonly refusal?: GatewayError | undefined;
  readonly clientAddress: string | undefined;
}

/** What the gateway is told of a body that a parser of the host has refused. */
export type ParserRefusal = Pick<MountedRequest, "body" | "refusal">;

/**
 * Answers a request of node:http; resolves when the answer has been handed to the response. `fail` receives what went
 * wrong before anything was sent: a fault of the host, never of the client.
 */
export type NodeResponder = (
  req: IncomingMessage,
  res: ServerResponse,
  mounted: MountedRequest,
  fail: (cause: unknown) => void,
) => Promise<void>;

/**
 * The body that a parser of the host has left for the gateway, "" for a body that ended without bytes; undefined while
 * the body is unread. Throws when the host has read the body and kept none of it.
 */
export function hostParsedBody(req: IncomingMessage, { body, refusal }: MountedRequest): unknown {
  if (!req.readableDidRead && !req.readableEnded) return undefined;
  if (body !== undefined || refusal !== undefined) return body;
  if (!req.readableDidRead) return "";
  throw new Error(
    "Something before Tollgate read the request body and kept none of it. Mount Tollgate before it, or put what it read in req.body.",
  );
}

/** What `gateway.fetch` is told of a request. */
export function hostContext(mounted: Partial<MountedRequest>, parsedBody: unknown): HostContext {
  const { path, basePath, refusal, clientAddress } = mounted;
  return {
    parsedBody,
    ...(path === undefined ? {} : { path }),
    ...(basePath === undefined ? {} : { basePath }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(clientAddress === undefined ? {} : { clientAddress }),
  };
}

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

const authorization = "authorization";

/**
 * All Authorization headers of a request, combined by ", " as Fetch does; undefined when there is none. Node keeps the
 * first of several, and a request with two keys must be refused rather than charged to one of them.
 */
export function authorizationOf({ rawHeaders }: IncomingMessage): string | undefined {
  let all: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== authorization.length || name.toLowerCase() !== authorization) continue;
    const value = rawHeaders[at + 1] ?? "";
    all = all === undefined ? value : `${all}, ${value}`;
  }
  return all;
}

/**
 * The path of a request's URL inside a mount, without the query; undefined when the URL lies outside of it. Of a URL in
 * absolute form, which every server must accept (RFC 9112, section 3.2.2), the path counts.
 */
export function pathInside(prefix: string, url: string): string | undefined {
  const target = withoutOrigin(url);
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  if (prefix === "") return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/** A prefix as hosts write it, with a slash before it and none behind; "" for the root. */
export function mountPrefix(written: string): string {
  return `/${written}`.replace(/^\/+/, "/").replace(/\/+$/, "");
}

/** A request target without the scheme and host that one in absolute form begins with. */
export function withoutOrigin(url: string): string {
  return url.startsWith("/") ? url : url.replace(origin, "");
}

const origin = /^https?:\/\/[^/?]*/i;

/**
 * The path inside a mount of a request that a router has matched, by its pattern among `gateway.paths` and the
 * parameters of the match. What comes before the pattern may hold parameters of its own.
 */
export function matchedPath(pattern: string, params: unknown): string {
  return pattern.replace(/:id|\*$/, (found) => encodeURIComponent(parameterIn(params, found.replace(":", ""))));
}

/** A parameter as the router matched it; that of a prefix with a parameter of the same name stands before it, and is written over. */
function parameterIn(params: unknown, name: string): string {
  const value: unknown = typeof params === "object" && params !== null ? Reflect.get(params, name) : undefined;
  return typeof value === "string" ? value : "";
}

/**
 * The path of a request inside a mount whose route ends in a wildcard: for "/router/v1/*" what follows "/router/v1".
 * Each segment of a route, also a parameter, stands for one segment of the path.
 */
export function pathBelow(route: string, path: string): string {
  let at = 0;
  for (let slashes = route.split("/").length - 1; slashes > 1; slashes--) {
    at = path.indexOf("/", at + 1);
    if (at === -1) return "/";
  }
  return path.slice(at);
}
