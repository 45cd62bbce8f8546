import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Mountable } from "@tollgate/core";
import type { BodyReceiver, ClientRequest, ClientSignal, GatewayResponse } from "@tollgate/core/internal";
import { Cancellation } from "@tollgate/core/provider";
import {
  authorizationOf,
  hostParsedBody,
  keepVary,
  linger,
  type MountedRequest,
  type NodeResponder,
} from "../mounted-request.ts";
import { readBody } from "./read-body.ts";
import { writeAnswer } from "./write-answer.ts";

/**
 * The direct edge: connects node:http to the gateway without a Fetch Request and Response, for chat completions.
 * `NodeRequest` exposes the request, `read-body.ts` reads the body, `ResponseSignal` reports a client that disconnects,
 * and `write-answer.ts` writes the response.
 */
export function directResponder(gateway: Mountable): NodeResponder {
  return async (req, res, mounted, fail) => {
    try {
      // Does not call `directAnswer`: its extra promise costs about 5% per request.
      const answer = await gateway.handle(new NodeRequest(req, res, mounted));
      linger(req, res);
      writeAnswer(keepVary(answer, res), res, gateway.unread);
    } catch (cause) {
      if (res.headersSent) res.destroy();
      else fail(cause);
    }
  };
}

/**
 * The direct edge without writing, for a host that sends the response itself. Rejects only for an error of the host.
 */
export async function directAnswer(
  gateway: Mountable,
  req: IncomingMessage,
  res: ServerResponse,
  mounted: MountedRequest,
): Promise<GatewayResponse> {
  const answer = await gateway.handle(new NodeRequest(req, res, mounted));
  linger(req, res);
  return gateway.unread.paced(answer);
}

/**
 * A node:http request in the form that the gateway reads. The constructor throws if the host has read the body but not
 * kept it.
 */
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

  /** A Node process keeps running without `waitUntil`. */
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
    // The length check comes first because it is cheaper than parsing a number, and most values are shorter.
    else if (declared.length >= String(maxBytes).length && Number(declared) > maxBytes) receiver.resolve(undefined);
    else readBody(this.#req, maxBytes, receiver);
  }
}

/** Express removes the mount path from `url`. */
function originalUrl(req: IncomingMessage): string | undefined {
  return "originalUrl" in req && typeof req.originalUrl === "string" ? req.originalUrl : req.url;
}

/** Aborts when a response closes before it was sent completely. */
export class ResponseSignal extends Cancellation implements ClientSignal {
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    super();
    this.#res = res;
    // The client may have disconnected before the gateway was called.
    this.aborted = res.destroyed;
    res.on("close", () => this.abortIfIncomplete());
    // Node assigns a connection to pipelined responses one at a time, and only the current one emits "close" with it.
    if (res.socket === null && !this.aborted) abortOnClose(res.req.socket, this, res);
  }

  /** Aborts unless the response was sent completely. Called when the response or its connection has closed. */
  abortIfIncomplete(): void {
    // An HTTP/2 response that was reset also has `writableFinished` set.
    if (!this.#res.writableEnded || !this.#res.writableFinished) this.abort(undefined);
  }
}

/**
 * The signals of pipelined responses by connection. One listener serves them all: many listeners would make Node warn
 * of a leak.
 */
const waiting = new WeakMap<Socket, Set<ResponseSignal>>();

function abortOnClose(socket: Socket, signal: ResponseSignal, res: ServerResponse): void {
  const signals = waiting.get(socket) ?? signalsOf(socket);
  signals.add(signal);
  res.once("close", () => signals.delete(signal));
}

function signalsOf(socket: Socket): Set<ResponseSignal> {
  const signals = new Set<ResponseSignal>();
  waiting.set(socket, signals);
  socket.once("close", () => {
    for (const signal of signals) signal.abortIfIncomplete();
  });
  return signals;
}
