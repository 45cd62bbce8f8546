import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Mountable } from "@tollgate/core";
import type { BodyReceiver, ClientRequest, ClientSignal, GatewayResponse } from "@tollgate/core/internal";
import { Cancellation } from "@tollgate/core/provider";
import { authorizationOf, hostParsedBody, type MountedRequest, type NodeResponder } from "../mounted-request.ts";
import { keepVary, linger } from "../response-guards.ts";
import { readBody } from "./read-body.ts";
import { writeAnswer } from "./write-answer.ts";

/**
 * The direct edge: node:http to the gateway and back without a Fetch Request and Response, for chat completions. Its
 * path is the body of the function: `node-request.ts` reads the request, with `read-body.ts` (whole bodies) and
 * `body-reader.ts` (bodies in pieces) for the body and `response-signal.ts` for a client that leaves; `write-answer.ts`
 * writes the answer.
 */
export function directResponder(gateway: Mountable): NodeResponder {
  return async (req, res, mounted, fail) => {
    try {
      // Not by way of `directAnswer`, whose promise costs a request some 5%.
      const answer = await gateway.handle(new NodeRequest(req, res, mounted));
      linger(req, res);
      writeAnswer(keepVary(answer, res), res, gateway.unread);
    } catch (cause) {
      if (res.headersSent) res.destroy();
      else fail(cause);
    }
  };
}

/** The first half of the direct edge, for a host that sends the answer itself. Rejects for a fault of the host only. */
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

/** Aborts when a response closes before all of it was sent. */
export class ResponseSignal extends Cancellation implements ClientSignal {
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    super();
    this.#res = res;
    // The client may have left while the host was at work before the gateway.
    this.aborted = res.destroyed;
    res.on("close", () => this.lookAfterClose());
    // Node gives a connection to the answers of pipelined requests one by one, and of its end tells only the one that has it.
    if (res.socket === null && !this.aborted) hearOf(res.req.socket, this, res);
  }

  /** The response, or the connection that it waits for, has closed. */
  lookAfterClose(): void {
    // HTTP/2 calls a response finished that was reset.
    if (!this.#res.writableEnded || !this.#res.writableFinished) this.abort(undefined);
  }
}

/** Those that wait for a connection, in one listener: a client may pipeline more of them than an emitter takes without a warning. */
const waiting = new WeakMap<Socket, Set<ResponseSignal>>();

function hearOf(socket: Socket, signal: ResponseSignal, res: ServerResponse): void {
  const signals = waiting.get(socket) ?? listenTo(socket);
  signals.add(signal);
  res.once("close", () => signals.delete(signal));
}

function listenTo(socket: Socket): Set<ResponseSignal> {
  const signals = new Set<ResponseSignal>();
  waiting.set(socket, signals);
  socket.once("close", () => {
    for (const signal of signals) signal.lookAfterClose();
  });
  return signals;
}
