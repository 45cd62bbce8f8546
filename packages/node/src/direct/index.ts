import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mountable } from "@tollgate/core";
import type { BodyReceiver, ClientRequest, ClientSignal, GatewayResponse } from "@tollgate/core/internal";
import { Cancellation } from "@tollgate/core/provider";
import {
  authorizationOf,
  hostParsedBody,
  isWaiting,
  keepVary,
  linger,
  type MountedRequest,
  type NodeResponder,
  onConnectionClose,
  originalUrl,
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
      const answer = await gateway.handle(new NodeRequest(req, res, mounted, gateway.diagnostics));
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
  const answer = await gateway.handle(new NodeRequest(req, res, mounted, gateway.diagnostics));
  linger(req, res);
  return gateway.unread.withBackpressure(answer);
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

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    mounted: MountedRequest,
    diagnostics: Mountable["diagnostics"],
  ) {
    this.#req = req;
    this.#mounted = mounted;
    this.#headers = req.headers;
    this.parsedBody = hostParsedBody(req, mounted, diagnostics);
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
    return originalUrl(this.#req);
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

/** Aborts when a response closes before it was sent completely. */
export class ResponseSignal extends Cancellation implements ClientSignal {
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    super();
    this.#res = res;
    // The client may have disconnected before the gateway was called.
    this.aborted = res.destroyed;
    res.on("close", () => this.#abortIfIncomplete());
    if (isWaiting(res) && !this.aborted) onConnectionClose(res, () => this.#abortIfIncomplete());
  }

  /** Called when the response or its connection has closed. */
  #abortIfIncomplete(): void {
    // An HTTP/2 response that was reset also has `writableFinished` set.
    if (!this.#res.writableEnded || !this.#res.writableFinished) this.abort(undefined);
  }
}
