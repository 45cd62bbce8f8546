import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { GatewayError, HostContext, Mountable } from "@tollgate/core";
import type { GatewayResponse, UnreadResponses } from "@tollgate/core/internal";

/** What a framework adapter passes to the gateway about a request. Getters are read only when their value is needed. */
export interface MountedRequest {
  /** The path inside the mount, without the query. Undefined when the request is outside the mount. */
  readonly path: string | undefined;
  /** The path of the mount, if the adapter knows it. A 404 response names it. */
  readonly basePath?: string | undefined;
  /** The body as the host's parser produced it. Used only when the request stream has been read. */
  readonly body: unknown;
  /**
   * The error to send because the host's parser rejected the body. Checks that come before the body take precedence.
   */
  readonly refusal?: GatewayError | undefined;
  readonly clientAddress: string | undefined;
}

/** The body and the error to use for a request that the host's parser rejected. */
export type ParserRefusal = Pick<MountedRequest, "body" | "refusal">;

/**
 * Answers a node:http request. Resolves when the answer has been passed to the response. If an error occurs before
 * anything is sent, calls `fail` with it; such an error is caused by the host, never by the client.
 */
export type NodeResponder = (
  req: IncomingMessage,
  res: ServerResponse,
  mounted: MountedRequest,
  fail: (cause: unknown) => void,
) => Promise<void>;

/**
 * The body that the host's parser produced. Returns "" for a body that ended without bytes and undefined for a body
 * that is still unread. Throws an Error when the host has read the body without setting `req.body`, and prints it once.
 */
export function hostParsedBody(
  req: IncomingMessage,
  { body, refusal }: MountedRequest,
  diagnostics: Mountable["diagnostics"],
): unknown {
  if (!req.readableDidRead && !req.readableEnded) return undefined;
  if (body !== undefined || refusal !== undefined) return body;
  if (!req.readableDidRead) return "";
  diagnostics.warn(bodyWasRead);
  throw new Error(bodyWasRead);
}

const bodyWasRead =
  "The request body was read before Tollgate, but req.body is not set. Mount Tollgate before the middleware that reads the body, or store the body in req.body. In Koa, write `ctx.req.body = ctx.request.body`.";

/** Builds the context that `gateway.fetch` receives with a request. */
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

/** The path of a request inside its mount, and the result of a parser that rejected its body. */
export interface PathInMount {
  readonly path: string | undefined;
  readonly basePath?: string;
  readonly refused?: ParserRefusal | undefined;
}

/**
 * The MountedRequest of a host that uses node:http requests. The body is `req.body`, and `readAddress` returns the
 * client's address. Both are read only when needed.
 */
export class NodeMount<Req extends IncomingMessage> implements MountedRequest {
  readonly #req: Req;
  readonly path: string | undefined;
  readonly basePath: string | undefined;
  readonly #refused: ParserRefusal | undefined;
  readonly #readAddress: (req: Req) => string | undefined;

  constructor(req: Req, { path, basePath, refused }: PathInMount, readAddress: (req: Req) => string | undefined) {
    this.#req = req;
    this.path = path;
    this.basePath = basePath;
    this.#refused = refused;
    this.#readAddress = readAddress;
    // Reading the address makes the socket cache it, so it is still available after the client disconnects.
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
    return this.#readAddress(this.#req);
  }
}

const authorization = "authorization";

/**
 * All Authorization headers of a request, joined with ", " as Fetch does; undefined when there are none. Node keeps
 * only the first, but a request with two keys must be refused rather than charged to one of them.
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
 * The path of a request's URL inside a mount, without the query; undefined when the URL is outside the mount. Scheme
 * and host of a URL in absolute form, which every server must accept (RFC 9112, section 3.2.2), are ignored.
 */
export function pathInside(prefix: string, url: string): string | undefined {
  const target = withoutOrigin(url);
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  if (prefix === "") return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/** The URL as the client sent it. Express and frameworks like it remove the path of a mount from `url`. */
export function originalUrl(req: IncomingMessage): string {
  return "originalUrl" in req && typeof req.originalUrl === "string" ? req.originalUrl : (req.url ?? "/");
}

/** Normalizes a mount prefix to one leading slash and no trailing slash; "" for the root. */
export function mountPrefix(written: string): string {
  return `/${written}`.replace(/^\/+/, "/").replace(/\/+$/, "");
}

/** Removes scheme and host from a request target in absolute form. */
export function withoutOrigin(url: string): string {
  return url.startsWith("/") ? url : url.replace(origin, "");
}

const origin = /^https?:\/\/[^/?]*/i;

/**
 * The path inside the mount of a request that a router has matched: fills the parameter of a pattern from
 * `gateway.paths` with its value. The mount prefix may contain parameters too.
 */
export function matchedPath(pattern: string, params: unknown): string {
  return pattern.replace(/:id|\*$/, (found) => encodeURIComponent(parameterIn(params, found.replace(":", ""))));
}

/**
 * The value that the router matched. If the prefix has a parameter of the same name, the later match has replaced it.
 */
function parameterIn(params: unknown, name: string): string {
  const value: unknown = typeof params === "object" && params !== null ? Reflect.get(params, name) : undefined;
  return typeof value === "string" ? value : "";
}

/**
 * The path of a request inside a mount whose route ends in a wildcard: for "/router/v1/*", the part after "/router/v1".
 * Each segment of the route, including a parameter, matches one segment of the path.
 */
export function pathBelow(route: string, path: string): string {
  let at = 0;
  for (let slashes = route.split("/").length - 1; slashes > 1; slashes--) {
    at = path.indexOf("/", at + 1);
    if (at === -1) return "/";
  }
  return path.slice(at);
}

const lingerMs = 2_000;

/**
 * Prevents the loss of a response that is sent before the whole request was read. Closing at once would reset the
 * connection before the client has read the response, so the rest of the request is discarded for at most 2 s
 * (RFC 9112, section 9.6). If the client has finished sending by then, the connection stays open.
 */
export function linger(req: IncomingMessage, res: ServerResponse): void {
  if (req.readableEnded) return;
  if (req.httpVersionMajor > 1) {
    // The connection stays open. If nobody read the rest, the stream would stay open too. Node reads only before "finish".
    discardRest(req, false);
    return;
  }
  const closeAfterwards = mustClose(req, res);
  // With `Connection: close`, Node destroys the socket as soon as the answer is written.
  if (closeAfterwards && !req.complete) res.setHeader("connection", "keep-alive");
  res.once("finish", () => discardRest(req, closeAfterwards));
}

/**
 * Whether the client or the host has requested that the connection be closed (RFC 9112, section 9.3).
 */
function mustClose({ headers, httpVersionMinor }: IncomingMessage, res: ServerResponse): boolean {
  const requested = headers.connection ?? "";
  if (close.test(requested) || close.test(String(res.getHeader("connection") ?? ""))) return true;
  return httpVersionMinor === 0 && !keepAlive.test(requested);
}

const close = /(?:^|,)\s*close\s*(?:,|$)/i;
const keepAlive = /(?:^|,)\s*keep-alive\s*(?:,|$)/i;

function discardRest(req: IncomingMessage, closeAfterwards: boolean): void {
  const { socket } = req;
  // Not `socket.destroy`: a mock request, such as that of Fastify's `inject`, has no socket that can be destroyed.
  const timer = setTimeout(() => req.destroy(), lingerMs);
  timer.unref();
  const isRead = () => clearTimeout(timer);
  req.once("end", isRead).once("close", isRead);
  if (closeAfterwards) req.once("end", () => socket.destroySoon());
  // A reader that stopped early can keep the request from flowing, so `read` is called instead of `resume`.
  req.on("readable", () => readAll(req));
}

function readAll(req: IncomingMessage): void {
  while (req.read() !== null);
}

/**
 * Registers the bytes that a response has buffered with the gateway's count of unread bytes, until the `taken` event or
 * "close". The gateway closes the connection if the client does not read it.
 */
export function watchUnread(res: ServerResponse, unread: UnreadResponses, taken: "finish" | "drain" = "finish"): void {
  if (res.writableLength > 0) watchBytes(res, res.writableLength, unread, taken);
}

/**
 * Registers the bytes of a response that a framework writes later, if the response waits for earlier ones of its connection.
 * Any other response passes its bytes to the operating system when it is written. `countBytes` is called only if it waits.
 */
export function watchWaiting(res: ServerResponse, countBytes: () => number, unread: UnreadResponses): void {
  if (isWaiting(res)) watchBytes(res, countBytes(), unread, "finish");
}

function watchBytes(res: ServerResponse, bytes: number, unread: UnreadResponses, taken: "finish" | "drain"): void {
  if (res.req.socket.destroyed) return;
  // A waiting response that is destroyed keeps its bytes until its connection closes.
  const isRead = unread.watch(bytes, () => (isWaiting(res) ? res.req.socket : res).destroy());
  const done = () => {
    res.off(taken, done).off("close", done);
    isRead();
  };
  res.on(taken, done).on("close", done);
  if (isWaiting(res)) onConnectionClose(res, done);
}

/** Returns true for a pipelined response that waits until the responses before it are sent. It has no connection until then. */
export const isWaiting = (res: ServerResponse): boolean =>
  res.socket === null && !res.writableFinished && !res.destroyed;

/**
 * The listeners of waiting responses by connection. One listener of the connection serves them all: many listeners would
 * make Node warn of a leak.
 */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Calls back when the connection of a waiting response closes, because the response itself does not emit "close" then. */
export function onConnectionClose(res: ServerResponse, listener: () => void): void {
  const listeners = waiting.get(res.req.socket) ?? listenersOf(res.req.socket);
  listeners.add(listener);
  res.once("close", () => listeners.delete(listener));
}

function listenersOf(socket: Socket): Set<() => void> {
  const listeners = new Set<() => void>();
  waiting.set(socket, listeners);
  socket.once("close", () => {
    for (const listener of listeners) listener();
  });
  return listeners;
}

/** Adds the `Vary` values that the host has set on the response to those of the answer, which would replace them. */
export function keepVary(answer: GatewayResponse, res: ServerResponse): GatewayResponse {
  const vary = answer.headers["vary"];
  const present = vary === undefined ? undefined : res.getHeader("vary");
  if (present === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, vary: [present, vary].flat().join(", ") } };
}
